"""Owners' pages of forms."""
