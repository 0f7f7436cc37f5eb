"""The tools of forms, with their arguments and answers."""
