"""The owner's pages for proposals, below /app/bid. They call the tools for everything."""
