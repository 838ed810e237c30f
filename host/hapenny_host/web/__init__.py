"""The pages: one folder for each, and `elements` for what they share."""
