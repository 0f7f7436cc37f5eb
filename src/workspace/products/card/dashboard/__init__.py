"""The owner's pages for business cards, below /app/card. They do everything with tools."""
