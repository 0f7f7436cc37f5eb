"""The only HTTP client for requests to other servers."""
