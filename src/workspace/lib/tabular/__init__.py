"""Lists as CSV, workbooks and tables."""
