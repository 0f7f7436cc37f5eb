"""Pages on which members manage their account."""
