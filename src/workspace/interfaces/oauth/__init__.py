"""The OAuth server for AI assistants."""
