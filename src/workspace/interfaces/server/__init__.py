"""The HTTP server: one ASGI application on granian, with Django behind a bounded pool of threads."""
