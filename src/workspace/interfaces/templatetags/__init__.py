"""Template tags for account pages."""
