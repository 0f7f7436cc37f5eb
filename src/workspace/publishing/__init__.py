"""Published items: their addresses, public state, visits and submissions."""
