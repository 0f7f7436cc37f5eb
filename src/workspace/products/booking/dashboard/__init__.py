"""The owner's pages for bookings, below /app/booking. They call the tools for everything."""
