"""The product's code for other packages, one module for each field of the manifest."""
