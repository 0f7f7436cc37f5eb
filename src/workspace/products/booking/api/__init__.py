"""The tools of booking pages, with their arguments and answers."""
