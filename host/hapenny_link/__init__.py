"""Opens a board by its URL and keeps its events safe on the way to the host."""
