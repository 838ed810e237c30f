"""The plain twins of the viper kernels, and viper for the 64-bit Unix port."""
