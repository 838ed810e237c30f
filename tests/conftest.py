"""Tests of a law take as long as the machine needs: no deadline, which a busy one would miss."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
