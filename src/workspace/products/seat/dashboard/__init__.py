"""Owners' pages of seating charts."""
