"""Stripe's HTTP API (docs.stripe.com/api): requests, amounts and signed events."""
