"""Signing up and signing in: passwords, passkeys and codes."""
