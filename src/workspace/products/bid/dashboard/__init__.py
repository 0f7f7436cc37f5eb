"""The owner's pages for proposals, below /app/bid. They do everything with tools."""
