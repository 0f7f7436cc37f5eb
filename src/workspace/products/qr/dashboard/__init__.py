"""The owner's pages of QR codes, below /app/qr. Each does what it does through the tools."""
