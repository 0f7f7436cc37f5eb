"""Dashboard pages of link pages, below /app/links. All writes go through the tools."""
