"""Billing of accounts by the administrator: plans, event credits and invite rewards."""
