"""The languages of guest pages: negotiation, and formats for numbers, dates, times and money."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation.trans_real import parse_accept_lang_header

from workspace.lib import money, weekly_hours
from workspace.lib.languages import GUEST_LANGUAGES, cldr_locale

DEFAULT_LANGUAGE = GUEST_LANGUAGES[0]
_MAX_HEADER_LENGTH = 200  # characters of Accept-Language that are parsed
_LANGUAGES_WITHOUT_LONG_RANGES = ("fr", "it", "pt")  # Babel abbreviates the months in their ranges of dates
_RIGHT_TO_LEFT = frozenset(
    ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ku-arab", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"]
)


def match_supported(code: str) -> str | None:
    """Return the supported language that matches a code (`de` for `de-AT`), or None."""
    return match_language(code, GUEST_LANGUAGES) or None


def request_language(request: HttpRequest, page: str = "") -> str:
    """Return the language of the response.

    It is the language that the guest chose (`?lang=`), or else the page's language, or else the first language of the
    browser that is supported.
    """
    for code in (request.GET.get("lang", ""), page):
        if found := match_supported(code):
            return found
    return preferred_language(request.headers.get("Accept-Language", ""))


def preferred_language(accepted: str) -> str:
    """Return the first supported language of an Accept-Language header."""
    return best_language(accepted, GUEST_LANGUAGES)


def match_language(code: str, available: Sequence[str]) -> str:
    """Return the language in `available` that matches a code (`de` for `de-AT`, `pt-br` for `pt`), or ""."""
    wanted = code.strip().lower().replace("_", "-")
    if wanted in available:
        return wanted
    primary = wanted.partition("-")[0]
    return next((one for one in available if one.partition("-")[0] == primary), "") if primary else ""


def best_language(accepted: str, available: Sequence[str]) -> str:
    """Return the first language of an Accept-Language header that is in `available`, or the first of `available`."""
    return _best_language(accepted[:_MAX_HEADER_LENGTH].lower(), tuple(available))


@lru_cache(256)
def _best_language(accepted: str, available: tuple[str, ...]) -> str:
    wanted = parse_accept_lang_header(accepted)
    return next(
        (found for code, quality in wanted if quality and (found := match_language(code, available))), available[0]
    )


def text_direction(code: str) -> str:
    """Return `rtl` or `ltr` for any language, because owners also write in languages that the interface lacks."""
    return "rtl" if code.lower().replace("_", "-").partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


def format_number(value: Decimal | int | float, language: str, *, decimals: int | None = None) -> str:
    """Format a number: `1,234.5`, in German `1,234,5`.

    Keep the number's own decimals, unless a number of decimals is given.
    """
    group, point = _number_symbols(language)
    plain = value if isinstance(value, Decimal) else Decimal(repr(value))
    if decimals is not None:
        return _apply_separators(f"{plain:,.{decimals}f}", group, point)
    shown = f"{plain:,f}"
    return _apply_separators(shown.rstrip("0").rstrip(".") if "." in shown else shown, group, point)


def _apply_separators(number: str, group: str, point: str) -> str:
    whole, _, rest = number.partition(".")
    return whole.replace(",", group) + (point + rest if rest else "")


@lru_cache(32)
def _number_symbols(language: str) -> tuple[str, str]:
    """Return the thousands separator and the decimal separator."""
    from babel.numbers import get_decimal_symbol, get_group_symbol  # late: only pages with numbers load it

    locale = cldr_locale(language)
    return str(get_group_symbol(locale)), str(get_decimal_symbol(locale))


def join_words(words: Sequence[str], language: str) -> str:
    """Join words: `milk, eggs and fish`, in German `Milch, Eier und Fisch`."""
    from babel.lists import format_list

    return str(format_list(list(words), locale=_date_locale(language))) if words else ""


@dataclass(frozen=True, slots=True)
class CurrencyFormat:
    """How amounts of a currency are formatted.

    `prefix` and `suffix` surround the digits. Negative amounts use `negative_prefix` and `negative_suffix`.
    """

    decimals: int
    prefix: str
    suffix: str
    negative_prefix: str
    negative_suffix: str
    group: str
    point: str


def format_amount(minor: int, currency: str, language: str) -> str:
    """Format an amount in minor units: `€12.50`, in German `12,50 €`."""
    how = currency_format(currency, language)
    digits = str(abs(minor)).zfill(how.decimals + 1)
    cut = len(digits) - how.decimals
    shown = f"{int(digits[:cut]):,}".replace(",", how.group) + how.point + digits[cut:]
    return how.prefix + shown + how.suffix if minor >= 0 else how.negative_prefix + shown + how.negative_suffix


@lru_cache(256)
def currency_format(currency: str, language: str) -> CurrencyFormat:
    """Return the format of a currency, derived from Babel's output.

    This is for speed: Babel takes a tenth of a millisecond per amount, and a page can have hundreds of amounts.
    """
    from babel.numbers import format_currency

    def split_amount(amount: int) -> tuple[str, str, str]:
        text = str(format_currency(amount, currency, format=pattern, locale=locale, currency_digits=False))
        first = text.index("1")
        last = max(at for at, char in enumerate(text) if char.isdigit()) + 1
        return text[:first], text[first:last], text[last:]

    pattern, decimals = _currency_pattern(currency, language), money.currency_decimals(currency)
    locale = cldr_locale(language)
    (before, number, after), (minus, _, behind) = split_amount(1_234_567), split_amount(-1_234_567)
    return CurrencyFormat(decimals, before, after, minus, behind, number[1], number[-decimals - 1] if decimals else "")


@lru_cache(256)
def _currency_pattern(currency: str, language: str) -> str:
    from babel import Locale
    from babel.numbers import get_currency_symbol

    # Use the decimals of ISO 4217, as for minor units: CLDR omits those of some currencies.
    decimals, locale = money.currency_decimals(currency), cldr_locale(language)
    usual: str = Locale.parse(locale).currency_formats["standard"].pattern
    pattern = usual.replace("0.00", f"0.{'0' * decimals}" if decimals else "0")
    if get_currency_symbol(currency, locale)[-1:].isalpha():
        pattern = pattern.replace("¤#", "¤\xa0#")  # KWD 5.000, but €5.00 without a space
    return pattern


def format_day(value: date, language: str) -> str:
    """Format a date: `24 December 2026`, in German `24. Dezember 2026`."""
    from babel.dates import format_date

    return str(format_date(value, format="long", locale=_date_locale(language)))


def format_short_day(value: date, language: str) -> str:
    """Format a short date: `24 Dec 2026`, in German `24.12.2026`."""
    from babel.dates import format_date

    return str(format_date(value, format="medium", locale=_date_locale(language)))


def format_full_day(value: date, language: str) -> str:
    """Format a date with its weekday: `Friday, 24 July 2026`, in German `Freitag, 24. Juli 2026`."""
    from babel.dates import format_date

    return str(format_date(value, format="full", locale=_date_locale(language)))


def format_short_weekday(value: date, language: str) -> str:
    """Format a date without its year: `Fri 24 Jul`, in German `Fr., 24. Juli`."""
    from babel.dates import format_skeleton

    return str(format_skeleton("MMMEd", value, locale=_date_locale(language))).replace(",", "", language == "en")


def format_day_range(first: date, last: date, language: str) -> str:
    """Format a range of dates: `24–26 July 2026`, in German `24.–26. Juli 2026`."""
    from babel.dates import format_interval, format_skeleton

    locale, end = _date_locale(language), format_day(last, language)
    if first == last:
        return end
    if language not in _LANGUAGES_WITHOUT_LONG_RANGES:
        return str(format_interval(first, last, skeleton="yMMMMd", locale=locale))
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{end}"
    start = format_day(first, language) if first.year != last.year else format_skeleton("MMMMd", first, locale=locale)
    return f"{start} – {end}"


def format_zone_name(value: datetime, zone: ZoneInfo, language: str) -> str:
    """Return the name of a time zone at a given moment: `Central European Summer Time`."""
    from babel.dates import get_timezone_name

    return str(get_timezone_name(value.astimezone(zone), width="long", locale=_date_locale(language)))


def format_week_hours(windows: Sequence[weekly_hours.Window], language: str) -> str:
    """Format weekly hours: `Mon–Fri 11:30–14:30`, in German `Mo–Fr 11:30–14:30`."""
    from babel.dates import get_day_names

    names = get_day_names("abbreviated", context="stand-alone", locale=_date_locale(language))
    return weekly_hours.format_hours(windows, [names[number] for number in range(7)], gettext("daily"))


def format_time_of_day(value: datetime, zone: ZoneInfo, language: str) -> str:
    """Format the time in a zone: `18:00`.

    If a time occurs twice because clocks go back, its offset is added: `02:30 (UTC+02:00)`.
    """
    from babel.dates import format_time

    local = value.astimezone(zone)
    text = str(format_time(local.time(), format="short", locale=_date_locale(language)))
    offset = local.utcoffset() or timedelta()
    is_twice = offset != local.replace(fold=1 - local.fold).utcoffset()
    return f"{text} ({timezone(offset)})" if is_twice else text


def format_moment(value: datetime, zone: ZoneInfo, language: str) -> str:
    """Format date and time in a zone: `24 December 2026, 18:00`."""
    return f"{format_day(value.astimezone(zone).date(), language)}, {format_time_of_day(value, zone, language)}"


def format_full_moment(value: datetime, zone: ZoneInfo, language: str) -> str:
    """Format date and time with the weekday: `Thursday, 24 December 2026, 18:00`."""
    return f"{format_full_day(value.astimezone(zone).date(), language)}, {format_time_of_day(value, zone, language)}"


def _date_locale(language: str) -> str:
    """Return Babel's locale for dates. English uses en_GB, with the day before the month and 24 hours."""
    return "en_GB" if language == "en" else cldr_locale(language)
