"""Payments by customers to accounts, through each account's own payment provider."""
