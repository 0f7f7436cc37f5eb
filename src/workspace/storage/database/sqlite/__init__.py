"""Django's SQLite backend with our locks and functions."""
