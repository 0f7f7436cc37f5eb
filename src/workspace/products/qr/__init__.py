"""QR codes: destinations, styles, print sheets and scans."""
