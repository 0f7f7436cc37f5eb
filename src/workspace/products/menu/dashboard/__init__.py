"""Dashboard pages of menus, below /app/menu. All writes go through the tools."""
