"""Requests to payment providers, below payments and billing: errors, circuit breaker, and the client of Stripe."""
