"""The languages that guests read: which one a request gets, and how numbers, days, hours and money stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation.trans_real import parse_accept_lang_header

from workspace.toolkit import hours, money

USUAL = settings.LANGUAGE_CODE
LANGUAGES = (USUAL, *(code for code, _ in settings.LANGUAGES if code != USUAL))
_LONGEST_HEADER = 200  # characters of Accept-Language that are looked at
_RIGHT_TO_LEFT = frozenset(
    ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ku-arab", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"]
)


def folded(code: str) -> str | None:
    """The language of ours that a code means (`de` for `de-AT`), None for another's."""
    return matched(code, LANGUAGES) or None


def lang_of(request: HttpRequest, page: str = "") -> str:
    """What the guest chose (`?lang=`), else the page's own language, else the browser's first that we have."""
    for code in (request.GET.get("lang", ""), page):
        if found := folded(code):
            return found
    return preferred(request.headers.get("Accept-Language", ""))


def preferred(accepted: str) -> str:
    """The first language of a browser's Accept-Language that we have."""
    return suited(accepted, LANGUAGES)


def matched(code: str, among: Sequence[str]) -> str:
    """Of these languages the one that a code means (`de` for `de-AT`, `pt-br` for `pt`); empty for none."""
    asked = code.strip().lower().replace("_", "-")
    if asked in among:
        return asked
    primary = asked.partition("-")[0]
    return next((one for one in among if one.partition("-")[0] == primary), "") if primary else ""


def suited(accepted: str, among: Sequence[str]) -> str:
    """The first language of a browser's Accept-Language that is among these; the first of them where none is."""
    return _suited(accepted[:_LONGEST_HEADER].lower(), tuple(among))


@lru_cache(256)
def _suited(accepted: str, among: tuple[str, ...]) -> str:
    wanted = parse_accept_lang_header(accepted)
    return next((found for code, quality in wanted if quality and (found := matched(code, among))), among[0])


def direction(code: str) -> str:
    """`rtl` or `ltr`, of any language's code: what owners write may be in one that is not among ours."""
    return "rtl" if code.lower().replace("_", "-").partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


def number(value: Decimal | int | float, language: str, *, decimals: int | None = None) -> str:
    """`1,234.5`, in German `1.234,5`; with so many decimals as it has, or as are given."""
    from babel.numbers import format_decimal  # late: only a page that shows numbers pays for its tables

    pattern = None if decimals is None else f"#,##0.{'0' * decimals}"
    return str(format_decimal(value, pattern, locale=language))


def listed(words: Sequence[str], language: str) -> str:
    """`milk, eggs and fish`, in German `Milch, Eier und Fisch`."""
    from babel.lists import format_list

    return str(format_list(list(words), locale=_for_days(language))) if words else ""


def amount(minor: int, currency: str, language: str) -> str:
    """Money from its minor units: `€12.50`, in German `12,50 €`."""
    from babel.numbers import format_currency

    shown = Decimal(minor).scaleb(-money.decimals_of(currency))
    pattern = _pattern(currency, language)
    return str(format_currency(shown, currency, format=pattern, locale=language, currency_digits=False))


@lru_cache(256)
def _pattern(currency: str, language: str) -> str:
    from babel import Locale
    from babel.numbers import get_currency_symbol

    # ISO's decimals, by the rule that counts the minor units: CLDR leaves those of some currencies out
    decimals = money.decimals_of(currency)
    usual: str = Locale.parse(language).currency_formats["standard"].pattern
    pattern = usual.replace("0.00", f"0.{'0' * decimals}" if decimals else "0")
    if get_currency_symbol(currency, language)[-1:].isalpha():
        pattern = pattern.replace("¤#", "¤\xa0#")  # KWD 5.000, where €5.00 stands close
    return pattern


def day(value: date, language: str) -> str:
    """`24 December 2026`, in German `24. Dezember 2026`."""
    from babel.dates import format_date

    return str(format_date(value, format="long", locale=_for_days(language)))


def short_day(value: date, language: str) -> str:
    """`24 Dec 2026`, in German `24.12.2026`."""
    from babel.dates import format_date

    return str(format_date(value, format="medium", locale=_for_days(language)))


def week_hours(windows: Sequence[hours.Window], language: str) -> str:
    """`Mon–Fri 11:30–14:30`, in German `Mo–Fr 11:30–14:30`."""
    from babel.dates import get_day_names

    names = get_day_names("abbreviated", context="stand-alone", locale=_for_days(language))
    return hours.in_words(windows, [names[number] for number in range(7)], gettext("daily"))


def time_of_day(value: datetime, zone: ZoneInfo, language: str) -> str:
    """On the clocks of a zone: `18:00`."""
    from babel.dates import format_time

    return str(format_time(value.astimezone(zone).time(), format="short", locale=_for_days(language)))


def moment(value: datetime, zone: ZoneInfo, language: str) -> str:
    """Day and time on the clocks of a zone: `24 December 2026, 18:00`."""
    return f"{day(value.astimezone(zone).date(), language)}, {time_of_day(value, zone, language)}"


def _for_days(language: str) -> str:
    """English as most of the world writes days: the day before the month, 24 hours."""
    return "en_GB" if language == "en" else language
