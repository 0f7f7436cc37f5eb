"""Pure values and functions, without queries or requests."""
