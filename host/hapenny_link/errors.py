"""Errors; each carries one sentence for people."""


class UserError(Exception):
    """You can put this right: the text says what is wrong, where, and what to do."""


class LinkDown(Exception):
    """The board cannot be reached now. The session tries again by itself."""


class BoardGone(Exception):
    """A command was not answered. Events show whether it was done, once the board is back."""
