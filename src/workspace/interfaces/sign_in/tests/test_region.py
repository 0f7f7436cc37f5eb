"""The region of a new account, guessed from the browser so that no one is asked for it."""

from __future__ import annotations

import pytest

from workspace.interfaces.sign_in.region_guess import guess_region, list_countries
from workspace.lib.money import CURRENCIES
from workspace.lib.time_zones import zone_names


@pytest.mark.parametrize(
    ("time_zone", "accepted", "country", "currency", "language"),
    [
        ("Europe/Vienna", "de-AT,de;q=0.9,en;q=0.8", "AT", "EUR", "de"),
        ("Europe/Vienna", "en-GB,en;q=0.9,de;q=0.8", "AT", "EUR", "en"),  # the owner's language
        ("Europe/Zurich", "tr-TR,tr;q=0.9,en;q=0.8", "CH", "CHF", "de"),  # the country's language
        ("Europe/Paris", "fr-FR,fr;q=0.9,es;q=0.8", "FR", "EUR", "fr"),
        ("Europe/Amsterdam", "nl-NL,nl;q=0.9,es;q=0.8", "NL", "EUR", "es"),  # another language of the owner
        ("America/Mexico_City", "", "MX", "MXN", "es"),
        ("Asia/Tokyo", "ja", "JP", "JPY", "en"),
        ("UTC", "es-ES,es;q=0.9,en-US;q=0.8", "ES", "EUR", "es"),  # a browser that hides its location
        ("UTC", "es,en;q=0.8", "", "", "es"),
        ("UTC", "", "", "", "en"),
        ("No/Where", "x" * 4000 + ";q=z,,", "", "", "en"),
    ],
)
def test_country_currency_and_language_follow_from_the_browser(
    time_zone: str, accepted: str, country: str, currency: str, language: str
) -> None:
    assert guess_region(time_zone, accepted) == {"country": country, "currency": currency, "languages": [language]}


def test_every_zone_is_in_a_listed_country_or_in_none() -> None:
    known = dict(list_countries())
    for name in zone_names():
        told = guess_region(name, "")
        assert told["country"] in {"", *known} and told["currency"] in {"", *CURRENCIES}, name
