"""The owner's pages for forms."""
