"""What was signed and must stand as it was: one chain of records an account."""
