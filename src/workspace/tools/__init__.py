"""Tools: their arguments, answers and catalog."""
