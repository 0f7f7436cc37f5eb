"""Backups of an instance while it runs, restoring them, and migration to another database."""
