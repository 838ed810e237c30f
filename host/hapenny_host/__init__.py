"""The host: keeps scores for ever and shows them."""
