"""Benches: how fast, how small, how exact; each prints what it measured here and now."""
