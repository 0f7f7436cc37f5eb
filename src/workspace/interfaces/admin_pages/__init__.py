"""The operator's area, below /app/operator: what there is, what waits for whoever runs the installation, and what they
may do about it. What is decided here is decided by the same functions as by command."""
