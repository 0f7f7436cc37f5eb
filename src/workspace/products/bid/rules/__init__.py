"""Rules: pure values and functions, without queries or requests."""
