"""Building blocks that need no framework."""
