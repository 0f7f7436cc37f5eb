"""Guest pages of published items."""
