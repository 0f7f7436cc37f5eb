"""The `svc` command, which offers every tool of a Workspace Tools service as a command. It never imports the server."""

__version__ = "0.1.0"
