"""The owner's pages for reviews, below /app/reviews. All writes use the tools."""
