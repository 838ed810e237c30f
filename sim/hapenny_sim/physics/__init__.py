"""Shoved discs on a board: friction, impacts, edges; see docs/physics.md."""

from hapenny_sim.physics.model import EDGES, Patch, Physics, Rest, Shove
from hapenny_sim.physics.shove import Event, Final, Trajectory, raise_lift, simulate

__all__ = ["EDGES", "Event", "Final", "Patch", "Physics", "Rest", "Shove", "Trajectory", "raise_lift", "simulate"]
