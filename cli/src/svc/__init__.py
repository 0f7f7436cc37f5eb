"""The `svc` command: every tool of a Workspace Tools service. It never imports the server."""

__version__ = "0.1.0"
