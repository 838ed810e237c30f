"""The inner loops: plain integer functions, and the same in viper for the board."""
