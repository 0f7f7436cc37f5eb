"""Requests to payment providers, for payments and billing: errors, circuit breaker, and the client of Stripe."""
