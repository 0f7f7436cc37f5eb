"""Icons for meals, found by the words that owners write. Meals without a known icon are shown as text only."""

from __future__ import annotations

from workspace.lib.text import search_key

# words in the most frequent languages; the first match is used
_ICONS = (
    ("\N{SEEDLING}", ("vegan", "plant", "pflanz")),
    ("\N{LEAFY GREEN}", ("veg", "gemuse", "verdura")),
    ("\N{CHILD}", ("child", "kid", "kind", "nin", "infantil")),
    ("\N{SHRIMP}", ("shrimp", "prawn", "garnele", "gamba", "shellfish")),
    ("\N{FISH}", ("fish", "fisch", "pesc", "salmon", "lachs", "trout", "cod", "forelle", "merluza", "poisson")),
    ("\N{POULTRY LEG}", ("chicken", "huhn", "hahn", "pollo", "duck", "ente", "turkey", "geflugel", "poulet")),
    ("\N{CUT OF MEAT}", ("beef", "meat", "steak", "rind", "fleisch", "lamb", "lamm", "pork", "schwein", "carne", "veal",
                         "ternera", "cordero", "kalb")),
    ("\N{BOWL WITH SPOON}", ("soup", "suppe", "sopa", "risotto", "pasta")),
    ("\N{SHORTCAKE}", ("cake", "kuchen", "torte", "tarta", "dessert")),
    ("\N{EAR OF RICE}", ("gluten",)),
)  # fmt: skip


def find_icon(word: str) -> str:
    """Return an emoji that the icon font contains, or an empty string."""
    folded = search_key(word)
    return next((sign for sign, words in _ICONS if any(part in folded for part in words)), "")
