"""What the product tells other packages, one file for each field of the manifest."""
