"""Notice boards: a title and a text on a page of their own."""
