"""The product's code for other packages, with one module for each field of the manifest."""
