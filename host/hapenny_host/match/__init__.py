"""What a match means to people: events become scores, lists of turns and words."""
