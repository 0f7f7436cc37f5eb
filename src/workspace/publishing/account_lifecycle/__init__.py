"""Closing, suspending, and moving accounts."""
