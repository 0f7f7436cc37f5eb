"""Stored files and images: on disk, in the database or in a bucket."""
