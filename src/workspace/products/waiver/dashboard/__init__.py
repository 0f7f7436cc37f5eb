"""Dashboard pages of waivers, below /app/waiver. All writes go through the tools."""
