"""QR symbols: rendering of styled text as SVG, PNG and PDF, with a scan test.

These are pure functions, which do not depend on how a symbol is used.
"""
