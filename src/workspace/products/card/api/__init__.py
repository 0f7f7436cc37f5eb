"""The tools of business cards, with their arguments and answers."""
