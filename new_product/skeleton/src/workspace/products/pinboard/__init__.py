"""Notice boards: a title and a text on their own page."""
