"""Pages where members manage their account."""
