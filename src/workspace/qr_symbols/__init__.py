"""QR symbols: from a text and a style to SVG, PNG and PDF, with a scan test.

These are pure functions that do not depend on the use of a symbol."""
