"""The only way out to other servers."""
