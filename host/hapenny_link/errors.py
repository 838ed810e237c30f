"""What can go wrong, each said in one sentence."""


class UserError(Exception):
    """Something the person at the keyboard can put right; the text says what was wrong, where, and what to do."""


class LinkDown(Exception):
    """The board cannot be reached now; the session tries again by itself."""


class BoardGone(Exception):
    """A command was not answered: whether it was done shows in the events once the board is back."""
