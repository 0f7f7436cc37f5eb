"""Django commands of the storage."""
