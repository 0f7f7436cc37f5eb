"""The order of surnames and given names, by country and language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from workspace.lib.person_name import PersonName, parse_name
from workspace.lib.text import search_key

Order = Literal["western", "two_surnames", "portuguese", "family_first"]
DEFAULT_ORDER: Final[Order] = "western"


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BY_COUNTRY: dict[str, Order] = {
    **dict.fromkeys(_word_set("ES AD MX GT HN SV NI CR PA CU DO PR CO VE EC PE BO PY CL UY AR GQ"), "two_surnames"),
    **dict.fromkeys(_word_set("PT BR AO MZ CV GW ST TL"), "portuguese"),
    **dict.fromkeys(_word_set("HU CN TW HK MO JP KR KP VN"), "family_first"),
}
_BY_LANGUAGE: dict[str, Order] = {
    **dict.fromkeys(_word_set("es ca gl"), "two_surnames"),
    "pt": "portuguese",
    **dict.fromkeys(_word_set("hu zh ja ko vi"), "family_first"),
}
# particles that belong to the name after them, and words that join two surnames
_PARTICLES = _word_set("de del da do das dos la las los el y i e von van san santa")
_JOINING_WORDS = _word_set("y i e")
# common second given names, which in a name of three words distinguish a given name from a surname
_SECOND_GIVEN_NAMES = _word_set(
    """alberto alejandro alfonso alfredo andres angel angeles antonio asuncion belen carlos carmen cesar concepcion
    cristina daniel david dolores eduardo elena enrique esteban eugenia eva felipe fernanda fernando francisco
    gabriel gloria guadalupe ignacio ines isabel isidro jaime javier jesus joaquin jorge jose juan julia lourdes luis
    luisa luz manuel mar maria mario martin mercedes miguel milagros montserrat nieves pablo paz pedro pilar rafael
    ramon raquel ricardo roberto rocio rosa rosario salvador santiago sofia soledad teresa tomas vicente victor
    victoria"""
)
_PORTUGUESE_ENDINGS = _word_set("filho filha junior neto neta sobrinho sobrinha segundo")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")


def name_order_for(country: str, languages: Sequence[str]) -> Order:
    """Return the order for a country (ISO 3166) and languages, main language first.

    The country determines the order if it has a usual one. Otherwise, the main language does.
    """
    if found := _BY_COUNTRY.get(country.upper()):
        return found
    main = languages[0].lower().partition("-")[0] if languages else ""
    return _BY_LANGUAGE.get(main, DEFAULT_ORDER)


@lru_cache(maxsize=4096)
def split_by_order(full_name: str, order: Order) -> PersonName:
    """Split a full name by an order. A name with a comma or in another script is split in the default order."""
    usual = parse_name(full_name)
    words = " ".join(filter(None, (usual.given, usual.family))).split()
    if order == DEFAULT_ORDER or "," in full_name or len(words) < 2 or not all(_LATIN.search(word) for word in words):
        return usual
    if order == "family_first":
        words = [word for word in full_name.split() if word not in (usual.prefix, usual.suffix)]
        return PersonName(" ".join(words[1:]), words[0], usual.prefix, usual.suffix) if len(words) > 1 else usual
    given, family = _split_two_surnames(words) if order == "two_surnames" else _split_portuguese(words)
    return PersonName(given, family, usual.prefix, usual.suffix)


def _split_two_surnames(words: Sequence[str]) -> tuple[str, str]:
    parts = _join_particles(words)
    count = 1 if len(parts) <= 3 else len(parts) - 2
    if len(parts) == 3 and search_key(parts[1]).split()[-1] in _SECOND_GIVEN_NAMES:
        count = 2
    return " ".join(parts[:count]), " ".join(parts[count:])


def _split_portuguese(words: Sequence[str]) -> tuple[str, str]:
    count = 2 if len(words) > 2 and search_key(words[-1]) in _PORTUGUESE_ENDINGS else 1
    return " ".join(words[:-count]), " ".join(words[-count:])


def _join_particles(words: Sequence[str]) -> list[str]:
    """Join particles to the names after them: `de la Cruz`, `Ortega y Gasset`."""
    parts: list[str] = []
    waiting: list[str] = []
    for word in words:
        plain = search_key(unicodedata.normalize("NFC", word))
        if plain in _PARTICLES and (parts or waiting):
            waiting.append(word)
            continue
        if waiting and search_key(waiting[0]) in _JOINING_WORDS and len(parts) > 1:
            parts[-1] = " ".join((parts[-1], *waiting, word))
        else:
            parts.append(" ".join((*waiting, word)))
        waiting = []
    if waiting:
        parts.append(" ".join(waiting))
    return parts
