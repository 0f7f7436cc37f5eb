"""The owner's pages for certificates."""
