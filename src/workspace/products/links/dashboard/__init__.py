"""The owner's pages of link pages, below /app/links. Each does what it does through the tools."""
