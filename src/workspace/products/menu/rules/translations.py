"""Translations of a menu, stored next to the original text by language and field.

If a translation is missing, the original text is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from workspace.tools.argument_types import Language, Line, Lines

MAX_LANGUAGES = 10  # languages
FIELDS = ("name", "description", "price_note")  # a section has only the first two
Translations = dict[str, dict[str, str]]  # by language, then by field: {"de": {"name": "Suppe"}}


@with_config(ConfigDict(extra="forbid", strict=True))
class SectionTranslation(TypedDict, total=False):
    name: Annotated[str, Line(80, least=0), Field(description="Translated name.")]
    description: Annotated[str, Lines(600), Field(description="Translated description.")]


@with_config(ConfigDict(extra="forbid", strict=True))
class ItemTranslation(TypedDict, total=False):
    name: Annotated[str, Line(120, least=0), Field(description="Translated name.")]
    description: Annotated[str, Lines(600), Field(description="Translated description.")]
    price_note: Annotated[str, Line(60, least=0), Field(description="Translated price note.")]


@with_config(ConfigDict(extra="forbid", strict=True))
class ChoiceTranslation(TypedDict, total=False):
    name: Annotated[str, Line(60, least=0), Field(description="Translated name.")]


@with_config(ConfigDict(extra="forbid", strict=True))
class MenuTranslation(TypedDict, total=False):
    intro: Annotated[str, Lines(600), Field(description="Translated intro.")]


def _remove_empty(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the translations without empty strings."""
    result = {code: {name: text for name, text in words.items() if text} for code, words in fields.items()}
    return {code: words for code, words in result.items() if words}


_DESCRIPTION = (
    'Translations by language, such as {"de": {…}}. Replaces all translations. Missing translations are shown in the '
    "original language."
)
SectionTranslations = Annotated[
    dict[Language, SectionTranslation],
    AfterValidator(_remove_empty),
    Field(max_length=MAX_LANGUAGES, description=_DESCRIPTION),
]
ItemTranslations = Annotated[
    dict[Language, ItemTranslation],
    AfterValidator(_remove_empty),
    Field(max_length=MAX_LANGUAGES, description=_DESCRIPTION),
]
ChoiceTranslations = Annotated[
    dict[Language, ChoiceTranslation],
    AfterValidator(_remove_empty),
    Field(max_length=MAX_LANGUAGES, description=_DESCRIPTION),
]
MenuTranslations = Annotated[
    dict[Language, MenuTranslation],
    AfterValidator(_remove_empty),
    Field(max_length=MAX_LANGUAGES, description=_DESCRIPTION),
]
Languages = Annotated[
    list[Language],
    AfterValidator(lambda value: list(dict.fromkeys(value))),
    Field(
        max_length=MAX_LANGUAGES,
        description=(
            'Language codes, such as ["en", "it"]. The original language comes first. An empty list uses the '
            "brand's languages."
        ),
    ),
]


def untranslated_fields(part: Mapping[str, Any], code: str) -> list[str]:
    """Return the fields of a section or dish that have text but no translation into this language."""
    held = part["translations"].get(code, {})
    return [name for name in FIELDS if part.get(name) and not held.get(name)]


def translation_columns(codes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the columns for translations in a table. `name_it` is the Italian translation of `name`."""
    return {f"{name}_{code}": (code, name) for code in codes for name in FIELDS}


def format_translations(translations: Translations, choices: Sequence[Mapping[str, Any]] = ()) -> str:
    """Format translations, such as `de: “Suppe”, “Mit Brot”`, including names of variants and add-ons."""
    codes = [*translations, *(code for choice in choices for code in choice.get("translations", {}))]
    results = []
    for code in dict.fromkeys(codes):
        texts = [*translations.get(code, {}).values()]
        texts += [text for choice in choices for text in choice.get("translations", {}).get(code, {}).values()]
        results.append(f"{code}: {', '.join(f'“{text}”' for text in texts)}")
    return "; ".join(results)
