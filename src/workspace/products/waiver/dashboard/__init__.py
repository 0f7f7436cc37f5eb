"""The owner's pages of waivers, below /app/waiver. Each does what it does through the tools."""
