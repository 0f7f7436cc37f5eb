"""The owner's pages for proposals, below /app/bid. All writes use the tools."""
