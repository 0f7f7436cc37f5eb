"""Dashboard pages of seating charts."""
