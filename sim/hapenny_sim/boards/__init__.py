"""Simulated boards the host can open."""
