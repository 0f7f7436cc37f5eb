"""The owner's pages for link pages, below /app/links. All writes use the tools."""
