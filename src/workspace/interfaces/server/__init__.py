"""The serving layer: one ASGI application on granian, with Django behind a bounded pool of threads."""
