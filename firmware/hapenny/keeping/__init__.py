"""What must survive a power cut: the journal and the settings."""
