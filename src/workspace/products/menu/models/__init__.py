from workspace.products.menu.models.item import Item
from workspace.products.menu.models.menu import KIND, THEMES, Menu
from workspace.products.menu.models.section import Section

__all__ = ["KIND", "THEMES", "Item", "Menu", "Section"]
