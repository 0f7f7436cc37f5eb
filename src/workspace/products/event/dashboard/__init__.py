"""Owners' pages of programs."""
