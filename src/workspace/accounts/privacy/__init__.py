"""A person's data: find it, export it, erase it."""
