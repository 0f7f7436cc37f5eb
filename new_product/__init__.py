"""The generator of a new product: `bin/new-product`. The files in `skeleton/` are those of a product, ready to run."""
