"""What stands on a menu in further languages: beside the words that it was written in, language by language and field
by field. What is missing in one falls back by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from workspace.brand.languages import Language, name_of
from workspace.brand.models import Brand
from workspace.toolkit.errors import Issue
from workspace.toolkit.types import Line, Lines

if TYPE_CHECKING:
    from workspace.products.menu.models import Item, Menu, Section

MOST = 10  # languages
FIELDS = ("name", "description", "price_note")  # a section has the first two
Translations = dict[str, dict[str, str]]  # by language, then by field: {"de": {"name": "Suppe"}}


@with_config(ConfigDict(extra="forbid", strict=True))
class SectionWords(TypedDict, total=False):
    name: Annotated[str, Line(80, least=0)]
    description: Annotated[str, Lines(600)]


@with_config(ConfigDict(extra="forbid", strict=True))
class ItemWords(TypedDict, total=False):
    name: Annotated[str, Line(120, least=0)]
    description: Annotated[str, Lines(600)]
    price_note: Annotated[str, Line(60, least=0)]


@with_config(ConfigDict(extra="forbid", strict=True))
class ChoiceWords(TypedDict, total=False):
    name: Annotated[str, Line(60, least=0)]


@with_config(ConfigDict(extra="forbid", strict=True))
class MenuWords(TypedDict, total=False):
    intro: Annotated[str, Lines(600)]


def _filled(given: dict[str, Any]) -> dict[str, Any]:
    """Without what is empty."""
    found = {code: {name: text for name, text in words.items() if text} for code, words in given.items()}
    return {code: words for code, words in found.items() if words}


_TOLD = "Its words in the menu's further languages: {“de”: {…}}; given whole, what is left out falls back"
SectionTranslations = Annotated[
    dict[Language, SectionWords], AfterValidator(_filled), Field(max_length=MOST, description=_TOLD)
]
ItemTranslations = Annotated[
    dict[Language, ItemWords], AfterValidator(_filled), Field(max_length=MOST, description=_TOLD)
]
ChoiceTranslations = Annotated[
    dict[Language, ChoiceWords], AfterValidator(_filled), Field(max_length=MOST, description=_TOLD)
]
MenuTranslations = Annotated[
    dict[Language, MenuWords], AfterValidator(_filled), Field(max_length=MOST, description=_TOLD)
]
Languages = Annotated[
    list[Language],
    AfterValidator(lambda given: list(dict.fromkeys(given))),
    Field(max_length=MOST, description="What it is written in, then its further languages: en, it; empty: the brand's"),
]


def languages_of(menu: Menu) -> list[str]:
    """The one that it is written in first; none where nobody has told."""
    return list(menu.languages or Brand.of(menu.account).languages)


def further_of(menu: Menu) -> list[str]:
    return languages_of(menu)[1:]


def shown_in(menu: Menu) -> list[str]:
    """The languages that guests choose from: the menu's, as far as anything is written in them. None for one alone. A
    few queries where it has several."""
    from workspace.products.menu.models import Item  # noqa: PLC0415 - the model uses this module

    codes = languages_of(menu)
    if len(codes) < 2:
        return codes if menu.languages else []
    parts = menu.sections.filter(hidden=False)
    items = Item.objects.filter(section__in=parts, hidden=False).exclude(translations={})
    there = {*menu.translations}
    for held in (*parts.values_list("translations", flat=True), *items.values_list("translations", flat=True)):
        there |= held.keys()
    return [codes[0], *(code for code in codes[1:] if code in there)]


def check(
    menu: Menu, given: Mapping[str, Any], at: str, issues: list[Issue], part: Item | Section | None = None
) -> None:
    """Refuse languages that the menu is not in, at their paths; `part` is what changes: what it has it may keep."""
    further = {*further_of(menu), *(_held(part) if part is not None else ())}
    words = [(at, given)]
    for name in ("variants", "add_ons"):
        words += [(f"{at}{name}.{number}.", one) for number, one in enumerate(given.get(name, []))]
    for path, one in words:
        unknown = [code for code in one.get("translations", {}) if code not in further]
        issues.extend(Issue(f"{path}translations.{code}", _refusal(menu, code)) for code in unknown)


def _held(part: Item | Section) -> Iterator[str]:
    yield from part.translations
    for choice in (*getattr(part, "variants", ()), *getattr(part, "add_ons", ())):
        yield from choice.get("translations", {})


def _refusal(menu: Menu, code: str) -> str:
    if code in languages_of(menu)[:1]:
        return f"The menu is written in {name_of(code)}: put this into the fields themselves"
    return (
        f"The menu is not in {name_of(code)}: add it to `languages` of svc_menu_edit, behind the one it is written in"
    )


def untranslated(menu: Menu) -> dict[str, int]:
    """For each further language, how many sections and dishes have words that are not there in it."""
    further = further_of(menu)
    if not further:
        return {}
    parts = [*menu.sections.values(*FIELDS[:2], "translations"), *menu.items().values(*FIELDS, "translations")]
    return {code: sum(bool(missing(part, code)) for part in parts) for code in further}


def missing(part: Mapping[str, Any], code: str) -> list[str]:
    """The fields of a section or dish, as data, that have words and none in this language."""
    held = part["translations"].get(code, {})
    return [name for name in FIELDS if part.get(name) and not held.get(name)]


def columns(codes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The columns of a table of dishes that hold words in further languages: `name_it` is of `it` the `name`."""
    return {f"{name}_{code}": (code, name) for code in codes for name in FIELDS}


def told(translations: Translations, choices: Sequence[Mapping[str, Any]] = ()) -> str:
    """In words: `de: “Suppe”, “Mit Brot”`, the names of its variants and extras among them."""
    codes = [*translations, *(code for one in choices for code in one.get("translations", {}))]
    found = []
    for code in dict.fromkeys(codes):
        texts = [*translations.get(code, {}).values()]
        texts += [text for one in choices for text in one.get("translations", {}).get(code, {}).values()]
        found.append(f"{code}: {', '.join(f'“{text}”' for text in texts)}")
    return "; ".join(found)
