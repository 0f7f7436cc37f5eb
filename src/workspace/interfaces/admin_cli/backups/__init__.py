"""Copies of an installation: made while it serves, put back, and carried to another database."""
