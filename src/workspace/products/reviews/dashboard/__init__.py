"""The owner's pages of reviews, below /app/reviews. Each does what it does through the tools."""
