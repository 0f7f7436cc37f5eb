"""The tools of notice boards, with their arguments and answers."""
