"""QR symbols: from a text and a style to SVG, PNG and PDF, and whether the result will scan.

Pure functions; what a symbol is for is known by those who ask."""
