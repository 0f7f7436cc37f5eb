"""The generator of new products: `bin/new-product`. The files in `skeleton/` are a product that is ready to run."""
