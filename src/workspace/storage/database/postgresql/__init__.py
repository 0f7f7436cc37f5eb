"""Django's PostgreSQL backend with our timeouts."""
