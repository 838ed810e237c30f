"""/tv: the scoreboard."""
