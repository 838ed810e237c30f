"""From frames to discs: where each lies, which is which, and what each is called."""
