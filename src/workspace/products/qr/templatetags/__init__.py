"""Template tags for QR codes."""
