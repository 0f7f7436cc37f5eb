"""The owner's pages for notice boards, below /app/pinboard. They do everything with tools."""
