"""Database, files, undo and encryption."""
