"""The pages: each is a Python and a JavaScript file of one name."""
