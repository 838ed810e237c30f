"""/play: the page to play on, its buttons, sentences and dialogs."""
