"""Event programs: sessions, rooms, speakers and stars."""
