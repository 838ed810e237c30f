"""The firmware's version, as the hello says it."""

VERSION = "0.1.0"
