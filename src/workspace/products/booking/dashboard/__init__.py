"""The owner's pages of bookings, below /app/booking. Each does what it does through the tools."""
