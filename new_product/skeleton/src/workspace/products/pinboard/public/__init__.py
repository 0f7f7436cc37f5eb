"""The pages of notice boards for guests."""
