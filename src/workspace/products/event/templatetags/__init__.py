"""Template tags for programs."""
