"""Django commands of the storage package."""
