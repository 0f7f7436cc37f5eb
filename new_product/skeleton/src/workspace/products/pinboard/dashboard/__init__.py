"""The owner's pages for notice boards, below /app/pinboard. They call the tools for everything."""
