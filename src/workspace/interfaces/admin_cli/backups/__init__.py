"""Backups of an instance, created while it runs, their restoration, and migration to another database."""
