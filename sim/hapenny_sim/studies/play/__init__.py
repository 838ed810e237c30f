"""Play: whole turns as people play them, through physics, sensors and the device's own code, against the truth."""
