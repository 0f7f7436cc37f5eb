"""The tools of proposals, with their arguments and answers."""
