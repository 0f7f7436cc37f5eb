"""Taking everything of an account along, and bringing it back elsewhere: which tables go, how they are packed into one
ZIP, and how they arrive. The format is told in `docs/taking-along.md`."""
