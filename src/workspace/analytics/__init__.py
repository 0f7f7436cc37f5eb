"""Analytics: visits to public pages are recorded, counted and summarized for owners."""
