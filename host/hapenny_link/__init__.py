"""From a board's URL to its events: the desktop end of the link."""
