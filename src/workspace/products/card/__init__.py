"""Digital business cards and the contacts that they collect."""
