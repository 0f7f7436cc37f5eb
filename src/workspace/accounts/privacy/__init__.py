"""Finding, exporting and erasing a person's data."""
