"""The owner's pages for business cards, below /app/card. They call the tools for everything."""
