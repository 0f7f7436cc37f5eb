"""What leaves the service (emails, webhooks, calendars, address books), and the workers that send it."""
