"""Connections to other applications of the account family."""
