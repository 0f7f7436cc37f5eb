"""Pure functions and values: no query and no request."""
