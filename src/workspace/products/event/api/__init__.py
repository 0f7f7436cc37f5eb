"""The tools of event programs, with their arguments and answers."""
