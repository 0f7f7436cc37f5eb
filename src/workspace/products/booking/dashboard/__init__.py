"""The owner's pages for bookings, below /app/booking. They do everything with tools."""
