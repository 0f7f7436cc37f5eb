"""Pure functions and values, without queries and requests."""
