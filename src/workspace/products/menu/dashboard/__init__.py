"""The owner's pages for menus, below /app/menu. All writes use the tools."""
