"""Template tags of guest pages."""
