"""The subcommands of `hapenny`: one file for each, or for a few that belong together."""
