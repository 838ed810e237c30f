"""Scenarios: what happens at a board and what must follow, in one file for every target."""
