"""The owner's pages for bookings, below /app/booking. All writes use the tools."""
