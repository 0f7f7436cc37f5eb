"""Outgoing emails, webhooks, calendar events and contacts, and the workers that send them."""
