"""The owner's pages for waivers, below /app/waiver. All writes use the tools."""
