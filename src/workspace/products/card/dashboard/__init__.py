"""The owner's pages of business cards, below /app/card. Each does what it does through the tools."""
