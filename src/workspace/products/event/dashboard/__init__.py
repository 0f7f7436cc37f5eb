"""The owner's pages for programs."""
