"""Rules for times, order, conflicts and running sessions. They are pure and use no database."""
