"""Runs on a board, or in the Unix port: the match that the bench's programs play."""

from hapenny.rules import events, setup


def pub_match(target):
    """The start of a match of two by a pub's rules, the sides in the order given."""
    opts = bytearray(b"\x01\x01\x01\x01\x01\x01\x00\x01\x00\x03\xff\x01\x05\x00\x00\x0a")
    opts[setup.TARGET] = target
    return (events.START, b"\x01\x01", bytes(opts), b"\x80\x80", b"")
