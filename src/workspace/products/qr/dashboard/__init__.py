"""The owner's pages for QR codes, below /app/qr. All writes use the tools."""
