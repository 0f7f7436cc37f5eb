"""The names of a new product, and their spellings in code and texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_PRODUCT_LENGTH = 12  # limit for a path that the fast path answers
MAX_TITLE_LENGTH = 20  # so that lines of code have room for the name
MAX_TABLE_LENGTH = 22  # of the product and the item together, as used in names of indexes
_PRODUCT = re.compile(rf"[a-z]{{3,{MAX_PRODUCT_LENGTH}}}")
_ITEM = re.compile(rf"(?=.{{2,{MAX_TITLE_LENGTH}}}$)[a-z]+( [a-z]+)*")
_TITLE = re.compile(rf"(?=.{{3,{MAX_TITLE_LENGTH}}}$)[A-Z][a-z]+( [a-z]+)*")


class InvalidNameError(ValueError):
    """The product cannot have this name. The message says what to choose instead."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a product.

    `product` is the name of its folder, of its tools and in its paths. `title` is its name for people, in the plural,
    and `translations` has the title by language. `item` is the name of one item in a sentence.
    """

    product: str
    title: str
    item: str
    translations: Mapping[str, str] = field(default_factory=dict)

    @property
    def items(self) -> str:
        """The plural of the item in a sentence."""
        return self.title[0].lower() + self.title[1:]

    @property
    def item_variable(self) -> str:
        """The item in names of variables and functions."""
        return self.item.replace(" ", "_")

    @property
    def items_variable(self) -> str:
        """The plural of the item in names of variables and functions."""
        return self.items.replace(" ", "_")

    @property
    def class_name(self) -> str:
        """The name of the model."""
        return self.item.title().replace(" ", "")

    @property
    def article(self) -> str:
        """The indefinite article of the item."""
        return "an" if self.item[0] in "aeiou" else "a"

    def check_spelling(self) -> None:
        """Raise InvalidNameError if a name contains characters that are not allowed."""
        if not _PRODUCT.fullmatch(self.product):
            raise InvalidNameError(f"“{self.product}”: the name has 3 to {MAX_PRODUCT_LENGTH} letters, such as boards")
        if not _TITLE.fullmatch(self.title):
            raise InvalidNameError(f"“{self.title}”: the title has up to {MAX_TITLE_LENGTH} letters: “Notice boards”")
        if not _ITEM.fullmatch(self.item):
            raise InvalidNameError(f"“{self.item}”: an item has up to {MAX_TITLE_LENGTH} small letters: “notice board”")
        if self.item == self.items:
            raise InvalidNameError(f"“{self.title}”: the title is in the plural and the item in the singular")
        if len(self.product + self.class_name) > MAX_TABLE_LENGTH:
            raise InvalidNameError(
                f"“{self.product}” and “{self.item}” have more than {MAX_TABLE_LENGTH} letters together"
            )

    def list_spellings(self) -> list[str]:
        """Return each spelling of the names in code and texts, in the same order for all products."""
        item, variable, article = self.item, self.item_variable, self.article
        return [
            self.product,
            self.class_name,
            self.items_variable,
            variable,
            f"{article}_{variable}",
            variable.upper(),
            item.replace(" ", "-"),
            f"{article}-{item.replace(' ', '-')}",
            self.items,
            self.title,
            item,
            item.capitalize(),
            f"{article} {item}",
            f"{article.capitalize()} {item}",
            *(self.translations[language] for language in sorted(self.translations)),
        ]
