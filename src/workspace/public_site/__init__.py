"""The public site: what guests see of what accounts publish."""
