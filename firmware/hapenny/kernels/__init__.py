"""The inner loops in viper, the words of their arrays, and which kernels run here."""
