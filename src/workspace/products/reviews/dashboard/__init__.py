"""Dashboard pages of reviews, below /app/reviews. All writes go through the tools."""
