"""What is done: one function for each act, in one transaction."""
