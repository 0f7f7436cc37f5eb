"""Template tags for the colors and fonts of a page."""
