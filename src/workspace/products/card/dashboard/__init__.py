"""The owner's pages for business cards, below /app/card. All writes use the tools."""
