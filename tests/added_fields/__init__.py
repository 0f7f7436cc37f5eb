"""Adding a field to a product: the number of places to edit, and proof that the field then works everywhere."""
