"""Owners' pages of certificates."""
