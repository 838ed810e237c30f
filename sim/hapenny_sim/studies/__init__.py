"""Studies: questions put to the simulator, each one file, on all cores or a cluster."""
