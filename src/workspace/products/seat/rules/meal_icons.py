"""A small sign beside what somebody eats, by the words that owners write for it. Where none is known, the word stands
alone."""

from __future__ import annotations

from workspace.lib.text import search_key

# what a word has to hold, in the languages that owners write most; the first that fits is taken
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
    """An emoji of the font for signs, or nothing."""
    folded = search_key(word)
    return next((sign for sign, words in _ICONS if any(part in folded for part in words)), "")
