"""The country, currency and guests' language of a new account, guessed from the browser.

The guess saves questions and can be corrected.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypedDict

from django.utils.translation.trans_real import parse_accept_lang_header

from workspace.lib.money import CURRENCIES
from workspace.publishing.language import DEFAULT_LANGUAGE, match_supported

_MAX_HEADER_LENGTH = 200  # characters of Accept-Language that are read
_NOT_COUNTRIES = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}  # CLDR codes that are not countries


class Region(TypedDict):
    """The fields as `Brand.edit` accepts them.

    The country is an ISO 3166 code and the currency an ISO 4217 code. Both are empty if unknown. The language is a
    supported one.
    """

    country: str
    currency: str
    languages: list[str]


def guess_region(time_zone: str, accept_language: str) -> Region:
    """Guess the region from the name of a time zone, which may be empty, and the browser's Accept-Language."""
    from babel.core import get_global  # imported late, like all of Babel: serving guests does not need its tables
    from babel.numbers import get_territory_currencies

    country = str(get_global("zone_territories").get(time_zone, ""))
    country = (
        country if country in dict(list_countries()) else _country_from_languages(accept_language)
    )  # 001 is the world, ZZ is nowhere
    currency = next(iter(get_territory_currencies(country)), "") if country else ""
    return {
        "country": country,
        "currency": currency if currency in CURRENCIES else "",
        "languages": [
            next(code for one in _candidate_languages(country, accept_language) if (code := match_supported(one)))
        ],
    }


@cache
def list_countries() -> tuple[tuple[str, str], ...]:
    """Return the codes and names of countries, sorted by name."""
    from babel import Locale

    named = Locale("en").territories.items()
    found = [
        (code, str(name)) for code, name in named if len(code) == 2 and code.isalpha() and code not in _NOT_COUNTRIES
    ]
    return tuple(sorted(found, key=lambda pair: pair[1]))


def _country_from_languages(accepted: str) -> str:
    """Return the first country in the languages (ES in `es-ES`), for browsers that hide their time zone.

    Return "" if there is none.
    """
    known = dict(list_countries())
    parts = (code.rpartition("-")[2].upper() for code in _accepted_languages(accepted) if "-" in code)
    return next((part for part in parts if part in known), "")


def _candidate_languages(country: str, accepted: str) -> Iterator[str]:
    """Yield languages by priority.

    The owner's first language comes first, so that they can read what they print. Then follow the country's languages,
    the owner's other languages and the default.
    """
    from babel.languages import get_official_languages

    first, *others = _accepted_languages(accepted) or [""]
    yield first
    yield from get_official_languages(country, de_facto=True) if country else ()
    yield from others
    yield DEFAULT_LANGUAGE


def _accepted_languages(accepted: str) -> list[str]:
    """Return the languages that a browser accepts, most preferred first."""
    return [code for code, quality in parse_accept_lang_header(accepted[:_MAX_HEADER_LENGTH].lower()) if quality]
