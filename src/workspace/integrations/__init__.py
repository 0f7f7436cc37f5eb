"""Integrations: the tools for connected calendars, address books and webhooks."""
