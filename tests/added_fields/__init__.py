"""A field added to a product: how many places it is written in, and that it then works everywhere."""
