"""What holds of times, of order, of clashes and of what is on now: pure, without a database."""
