"""Template tags for guests' pages."""
