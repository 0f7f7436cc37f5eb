"""Accounts, their members, keys, plans and invites, and the dispatcher that runs every tool."""
