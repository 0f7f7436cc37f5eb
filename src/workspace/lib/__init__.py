"""Building blocks without a framework."""
