"""What pages are built from: a Python and a JavaScript file of one name each."""
