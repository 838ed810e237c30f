"""How bytes reach a board: one file for each kind of connection."""
