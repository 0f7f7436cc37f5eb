"""The tools of certificates, with their arguments and answers."""
