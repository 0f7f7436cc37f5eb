"""Analytics: visits to public pages are recorded, counted and summed up for owners."""
