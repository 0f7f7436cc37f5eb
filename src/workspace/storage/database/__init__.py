"""Transactions, locks, timeouts and the two database backends."""
