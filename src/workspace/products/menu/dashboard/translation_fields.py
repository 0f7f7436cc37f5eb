"""Form fields for a menu's languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspace.lib.languages import language_name
from workspace.products.menu.rules.translations import untranslated_fields


@dataclass(frozen=True, slots=True)
class LanguageFields:
    """A language, and the paths of its fields in a form."""

    code: str
    missing_count: int = 0

    @property
    def title(self) -> str:
        return language_name(self.code)

    @property
    def name(self) -> str:
        return f"translations.{self.code}.name"

    @property
    def description(self) -> str:
        return f"translations.{self.code}.description"

    @property
    def price_note(self) -> str:
        return f"translations.{self.code}.price_note"

    @property
    def intro(self) -> str:
        return f"translations.{self.code}.intro"


def language_context(languages: Sequence[str], part: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the context for the part "In other languages".

    `part` is the data of a dish or section. Translations into languages that were removed from the menu become hidden
    fields, so that saving does not lose them.
    """
    further = list(languages[1:])
    held = part["translations"] if part else {}
    return {
        "translation_languages": [
            LanguageFields(code, len(untranslated_fields(part, code)) if part else 0) for code in further
        ],
        "unseen_words": [
            (f"translations.{code}.{name}", text)
            for code, words in held.items()
            if code not in further
            for name, text in words.items()
        ],
        "incomplete_count": sum(bool(untranslated_fields(part, code)) for code in further) if part else 0,
    }
