"""The OAuth server that lets AI assistants connect."""
