"""Proposals: offers that clients read, accept and sign."""
