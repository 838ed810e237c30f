"""Calibrates a board's own sensors: a person sweeps discs along real lines, and one fit finds what each sensor reads.

sweeps.py says where discs go, procedure.py runs the steps with an operator (operators.py) over the link (client.py).
measurements.py gathers what the sensors read; hall_fit.py and segment_fit.py make a calibration of it.
"""
