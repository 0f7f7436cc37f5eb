"""Lists as CSV, spreadsheets and tables."""
