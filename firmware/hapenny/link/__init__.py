"""The board's end of the link to a host, and the one table of messages."""
