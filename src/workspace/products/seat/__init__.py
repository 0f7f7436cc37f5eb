"""Seating charts: guests, tables, rules and the solver."""
