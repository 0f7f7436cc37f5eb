"""Booking pages: services, available times and bookings."""
