"""What the browser of whoever opens an account tells of the business: its country, currency and its guests' language.
All of it is a guess that saves questions, and can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypedDict

from django.utils.translation.trans_real import parse_accept_lang_header

from workspace.lib.money import CURRENCIES
from workspace.publishing.language import DEFAULT_LANGUAGE, match_supported

_MAX_HEADER_LENGTH = 200  # characters of Accept-Language that are looked at
_NOT_COUNTRIES = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}  # CLDR's names of what is no country


class Region(TypedDict):
    """As `Brand.edit` takes it: ISO 3166 and ISO 4217, each empty for unknown, and a language of ours."""

    country: str
    currency: str
    languages: list[str]


def guess_region(time_zone: str, accepted: str) -> Region:
    """By the name of a time zone (empty text for none) and a browser's Accept-Language."""
    from babel.core import get_global  # late, as all of Babel: its tables are no part of serving guests
    from babel.numbers import get_territory_currencies

    country = str(get_global("zone_territories").get(time_zone, ""))
    country = (
        country if country in dict(list_countries()) else _country_from_languages(accepted)
    )  # 001 is the world, ZZ is nowhere
    currency = next(iter(get_territory_currencies(country)), "") if country else ""
    return {
        "country": country,
        "currency": currency if currency in CURRENCIES else "",
        "languages": [next(code for one in _candidate_languages(country, accepted) if (code := match_supported(one)))],
    }


@cache
def list_countries() -> tuple[tuple[str, str], ...]:
    """For choosing: codes and their names, by name."""
    from babel import Locale

    named = Locale("en").territories.items()
    found = [
        (code, str(name)) for code, name in named if len(code) == 2 and code.isalpha() and code not in _NOT_COUNTRIES
    ]
    return tuple(sorted(found, key=lambda pair: pair[1]))


def _country_from_languages(accepted: str) -> str:
    """The first country that is named beside a language (ES of `es-ES`): of whoever hides their time zone."""
    known = dict(list_countries())
    parts = (code.rpartition("-")[2].upper() for code in _accepted_languages(accepted) if "-" in code)
    return next((part for part in parts if part in known), "")


def _candidate_languages(country: str, accepted: str) -> Iterator[str]:
    """What its owner reads comes first, so that nobody prints what they cannot read; where that is none of ours, the
    country's, then whatever else they read."""
    from babel.languages import get_official_languages

    first, *others = _accepted_languages(accepted) or [""]
    yield first
    yield from get_official_languages(country, de_facto=True) if country else ()
    yield from others
    yield DEFAULT_LANGUAGE


def _accepted_languages(accepted: str) -> list[str]:
    """The languages that a browser accepts, the dearest first."""
    return [code for code, quality in parse_accept_lang_header(accepted[:_MAX_HEADER_LENGTH].lower()) if quality]
