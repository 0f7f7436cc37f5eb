"""Closure, suspension, export and import of accounts."""
