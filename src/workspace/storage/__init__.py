"""The database, files, undo and encryption."""
