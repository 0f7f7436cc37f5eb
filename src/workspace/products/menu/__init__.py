"""QR menus: sections, items, prices, allergens and translations."""
