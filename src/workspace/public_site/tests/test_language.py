from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from babel.numbers import format_currency
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils.translation import get_language, gettext

from workspace.accounts.models import Account
from workspace.accounts.plans import PRODUCTS
from workspace.lib.languages import GUEST_LANGUAGES, cldr_locale
from workspace.lib.money import CURRENCIES, currency_decimals
from workspace.lib.weekly_hours import Window
from workspace.public_site import guest_page
from workspace.public_site.page_cache import RenderedPage
from workspace.publishing import language
from workspace.publishing.language import (
    _currency_pattern,
    format_amount,
    format_day,
    format_full_moment,
    format_moment,
    format_number,
    format_time_of_day,
    format_week_hours,
    join_words,
    match_supported,
    request_language,
    text_direction,
)
from workspace.publishing.locale import with_guest_locale
from workspace.publishing.models import Address, Publication
from workspace.testing.api import Api


def build_request(path: str = "/", accepts: str = "") -> HttpRequest:
    return RequestFactory().get(path, headers={"accept-language": accepts} if accepts else {})


@pytest.mark.parametrize(
    ("accepts", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("DE-at", "de"),
        ("es-419,es;q=0.9", "es"),
        ("nl-NL,nl;q=0.9,es;q=0.8,en;q=0.7", "es"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("it", "it"),
        ("pt-BR,pt;q=0.9", "pt"),
        ("en;q=0.5,de;q=0.9", "de"),
        ("de;q=0,es;q=0.1", "es"),
        ("nl,tr,pl", "en"),
        ("*", "en"),
        ("zh-Hant-TW,zh;q=0.9", "en"),
        ("de;q=abc, ,;;;", "en"),
        ("x" * 100_000, "en"),
        (",".join(["nl"] * 50_000), "en"),
    ],
)
def test_the_first_supported_language_of_the_browser_is_used(accepts: str, language: str) -> None:
    assert request_language(build_request(accepts=accepts)) == language


def test_a_chosen_language_precedes_the_page_and_the_page_the_browser() -> None:
    assert request_language(build_request("/?lang=es", "de"), page="en") == "es"
    assert request_language(build_request("/", "de"), page="es-MX") == "es"
    assert request_language(build_request("/?lang=nl", "de"), page="ja") == "de"
    assert request_language(build_request("/?lang=%00&lang=..%2F..", "de")) == "de"


def test_language_codes_map_to_supported_languages() -> None:
    assert match_supported("") is None
    assert [match_supported(code) for code in ("de", "DE_ch", " es-419 ", "en-GB", "deu", "pt-BR", "nl", "-de")] == [
        "de",
        "de",
        "es",
        "en",
        None,
        "pt",
        None,
        None,
    ]


def test_words_and_hours_are_formatted_by_language() -> None:
    assert [join_words(["a", "b", "c"], code) for code in GUEST_LANGUAGES] == [
        "a, b and c",
        "a, b und c",
        "a, b y c",
        "a, b et c",
        "a, b e c",
        "a, b e c",
    ]
    assert [join_words(words, "de") for words in (["a", "b"], ["a"], [])] == ["a und b", "a", ""]
    weekdays: Window = {"days": ["mon", "tue", "wed"], "from": "11:30", "until": "14:30"}
    said = [format_week_hours([weekdays], code) for code in GUEST_LANGUAGES]
    assert said == [
        "Mon–Wed 11:30–14:30",
        "Mo–Mi 11:30–14:30",
        "lun–mié 11:30–14:30",
        "lun.–mer. 11:30–14:30",
        "lun–mer 11:30–14:30",
        "segunda–quarta 11:30–14:30",
    ]


def test_text_direction_of_right_to_left_languages() -> None:
    left = [code for code in ("ar", "ar-EG", "he", "fa_IR", "ur", "ckb", "yi") if text_direction(code) == "rtl"]
    assert len(left) == 7
    assert {text_direction(code) for code in ("en", "de", "es", "ja", "", "arn", "hes")} == {"ltr"}


def test_numbers_days_and_money_are_formatted_by_language() -> None:
    assert [format_number(Decimal("1234.5"), code) for code in GUEST_LANGUAGES] == [
        "1,234.5",
        "1.234,5",
        "1.234,5",
        "1\u202f234,5",
        "1.234,5",
        "1\xa0234,5",
    ]
    assert [format_number(Decimal("0.3333"), code) for code in ("en", "de")] == ["0.3333", "0,3333"], "none is left out"
    assert [
        format_number(Decimal("3.96"), "de", decimals=1),
        format_number(4, "en"),
        format_number(Decimal("1E+4"), "es"),
    ] == [
        "4,0",
        "4",
        "10.000",
    ]
    assert [format_day(date(2026, 12, 24), code) for code in GUEST_LANGUAGES] == [
        "24 December 2026",
        "24. Dezember 2026",
        "24 de diciembre de 2026",
        "24 décembre 2026",
        "24 dicembre 2026",
        "24 de dezembro de 2026",
    ]
    at = datetime(2026, 12, 24, 17, 5, tzinfo=UTC)
    assert format_moment(at, ZoneInfo("Europe/Vienna"), "de") == "24. Dezember 2026, 18:05"
    assert format_moment(at, ZoneInfo("Asia/Kathmandu"), "en") == "24 December 2026, 22:50"
    assert format_full_moment(at, ZoneInfo("Europe/Vienna"), "es") == "jueves, 24 de diciembre de 2026, 18:05"
    twice = [datetime(2027, 10, 31, hour, 30, tzinfo=UTC) for hour in (0, 1, 2)]
    assert [format_time_of_day(one, ZoneInfo("Europe/Vienna"), "en") for one in twice] == [
        "02:30 (UTC+02:00)", "02:30 (UTC+01:00)", "03:30"
    ]  # fmt: skip
    amounts = {code: format_amount(1250, "EUR", code) for code in GUEST_LANGUAGES}
    assert amounts == {"en": "€12.50", **dict.fromkeys(GUEST_LANGUAGES[1:], "12,50\xa0€")}


@pytest.mark.parametrize(
    ("minor", "currency", "shown"),
    [
        (1250, "JPY", "¥1,250"),
        (1234, "KWD", "KWD\xa01.234"),
        (950, "AFN", "AFN\xa09.50"),
        (5, "EUR", "€0.05"),
        (0, "USD", "$0.00"),
    ],
)
def test_money_has_the_decimals_of_its_currency(minor: int, currency: str, shown: str) -> None:
    assert format_amount(minor, currency, "en") == shown


@pytest.mark.parametrize("language", GUEST_LANGUAGES)
def test_money_is_formatted_as_by_babel(language: str) -> None:
    for currency in CURRENCIES:
        pattern = _currency_pattern(currency, language)
        for minor in (0, 7, -7, 1234, 99_999, -1_234_567_890, 10**13):
            shown = Decimal(minor).scaleb(-currency_decimals(currency))
            told = format_currency(shown, currency, format=pattern, locale=cldr_locale(language), currency_digits=False)
            assert format_amount(minor, currency, language) == told


def _card(api: Api) -> tuple[str, str]:
    card = api.run("svc_card_create", full_name="Ana Lucía")
    return card["id"], f"/c/{card['slug']}"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words", "button"),
    [
        ("en", "This page is password-protected", "Open"),
        ("de", "Diese Seite ist mit einem Passwort geschützt", "Öffnen"),
        ("es", "Esta página pide una contraseña", "Abrir"),
        ("fr", "Cette page est protégée par un mot de passe", "Ouvrir"),
        ("it", "Questa pagina è protetta da password", "Apri"),
        ("pt", "Esta página está protegida por palavra-passe", "Abrir"),
    ],
)
def test_the_password_page_is_in_the_guests_language(language: str, words: str, button: str, api: Api) -> None:
    _, card = _card(api)
    Publication.objects.update(password=make_password("open sesame"))
    for path, header in (
        (f"{card}?lang={language}", "ja"),
        (card, f"{language}-XX,en;q=0.1"),
    ):
        response = Client().get(path, headers={"accept-language": header})
        page = response.content.decode()
        assert words in page and f">{button}</button>" in page
        assert f'<html lang="{language}" dir="ltr">' in page
        assert response["Content-Language"] == language and "Accept-Language" in response["Vary"]
    assert get_language() == "en", "what was chosen for one guest ends with the answer"


@pytest.mark.django_db
def test_a_state_page_names_the_business_in_every_language(api: Api) -> None:
    id, path = _card(api)
    api.run("svc_card_edit", card_id=id, live=False)
    page = Client().get(f"{path}?lang=de").content.decode()
    assert "Corner Café macht hier gerade Pause" in page and "Diese Seite melden" in page
    wrong = Client().get("/c/nothing-here?lang=es").content.decode()
    assert "Aquí no hay ninguna página" in wrong


@pytest.mark.django_db
def test_a_localized_page_is_cached_once_for_each_language(account: Account) -> None:
    drawn: list[str] = []
    publication = Publication.objects.create(account=account, kind="card")
    address = Address.objects.create(publication=publication, kind="card", slug="spoken-page")

    def render(address: Address) -> RenderedPage:
        drawn.append(get_language())
        return RenderedPage(gettext("Back soon"))

    @with_guest_locale
    def page(request: HttpRequest) -> HttpResponse:
        return guest_page.render_page(request, address, render, event=None)

    bodies = [page(build_request(accepts=accepts)) for accepts in ("de-AT", "de-DE,nl", "es", "en", "nl", "de")]
    assert [one.content.decode() for one in bodies] == [
        "Bald wieder da",
        "Bald wieder da",
        "Volvemos pronto",
        "Back soon",
        "Back soon",
        "Bald wieder da",
    ]
    assert drawn == ["de", "es", "en"], "browsers of one language share what is kept"
    assert {one["Vary"] for one in bodies} == {"Accept-Language"}
    assert len({one["ETag"] for one in bodies}) == 3


def test_every_product_title_is_marked_for_translation() -> None:
    assert {product.title for product in PRODUCTS.values()} <= set(guest_page.TITLES)


def test_days_and_date_ranges_are_formatted_by_language() -> None:
    friday = date(2026, 5, 15)
    assert language.format_short_weekday(friday, "en") == "Fri 15 May"
    assert language.format_short_weekday(friday, "de") == "Fr., 15. Mai"
    assert language.format_full_day(friday, "es") == "viernes, 15 de mayo de 2026"
    assert language.format_day_range(friday, date(2026, 5, 17), "en") == "15–17 May 2026"
    assert language.format_day_range(friday, date(2026, 6, 2), "de").replace("\u2009", " ") == "15. Mai – 2. Juni 2026"
    assert language.format_day_range(friday, friday, "de") == "15. Mai 2026"
    last_days = (date(2026, 5, 17), date(2026, 6, 2), date(2027, 1, 2))
    assert [[language.format_day_range(friday, last, code) for last in last_days] for code in ("fr", "it", "pt")] == [
        ["15–17 mai 2026", "15 mai – 2 juin 2026", "15 mai 2026 – 2 janvier 2027"],
        ["15–17 maggio 2026", "15 maggio – 2 giugno 2026", "15 maggio 2026 – 2 gennaio 2027"],
        ["15–17 de maio de 2026", "15 de maio – 2 de junho de 2026", "15 de maio de 2026 – 2 de janeiro de 2027"],
    ]
    noon = datetime(2026, 5, 15, 12, tzinfo=UTC)
    assert language.format_zone_name(noon, ZoneInfo("Europe/Paris"), "en") == "Central European Summer Time"
