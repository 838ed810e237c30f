"""The simulated board: table, discs, sensors and the machines that run the firmware."""
