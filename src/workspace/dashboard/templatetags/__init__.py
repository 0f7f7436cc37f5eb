"""Template tags for the parts of dashboard pages."""
