"""Guest pages: what guests see of published items."""
