"""Samples: an item of every kind, and arguments for every tool, by package or product.

`tests/across` runs every tool with them. Tests of a product use them as well.
"""
