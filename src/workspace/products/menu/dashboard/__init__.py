"""The owner's pages of menus, below /app/menu. Each does what it does through the tools."""
