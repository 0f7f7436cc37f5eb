"""Template tags for seating charts."""
