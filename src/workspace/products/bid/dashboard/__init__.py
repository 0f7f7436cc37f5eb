"""The owner's pages of proposals, below /app/bid. Each does what it does through the tools."""
