"""Dashboard pages of QR codes, below /app/qr. All writes go through the tools."""
