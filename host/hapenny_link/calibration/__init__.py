"""Measuring a board's own sensors: sweeps, the fit of what they show, and the talk with the board."""
