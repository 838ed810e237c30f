"""What the sensors read: frames, calibration, the zeros, and which sensors to trust."""
