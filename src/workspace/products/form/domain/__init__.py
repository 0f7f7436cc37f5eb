"""Database operations of this product, independent of the channels."""
