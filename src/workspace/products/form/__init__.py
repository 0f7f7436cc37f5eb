"""Forms, their fields and their responses."""
