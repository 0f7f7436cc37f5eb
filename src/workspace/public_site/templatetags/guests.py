"""The tags of guests' pages: `{% load guests %}`."""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from typing import Any
from unicodedata import bidirectional

from django import template
from django.template.defaultfilters import stringfilter
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from pydantic import BaseModel

from workspace.brand.active_style import active_brand
from workspace.brand.languages import language_name
from workspace.public_site.active_frame import Frame, current_frame
from workspace.public_site.guest_form import WHOLE_FORM, FormState
from workspace.publishing import icons, language
from workspace.publishing.locale import current_locale

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    return icons.render_icon(name)


@register.simple_tag(name="frame")
def frame_tag() -> Frame | None:
    """`{% frame as frame %}`: the one on somebody's website that the page is drawn for; None where it stands by
    itself."""
    return current_frame()


@register.simple_tag
def page_language() -> SafeString:
    """For the html element: the language of the page, and the direction of its owner's words."""
    return format_html('lang="{}" dir="{}"', current_locale().language, _text_direction())


@register.simple_tag
def language_attributes(words: str = "") -> SafeString:
    """For an element that holds an owner's or a guest's words, which may be in any language; `words` that know theirs
    (`LocalizedText`) say so."""
    own = getattr(words, "lang", "") or _owner_language()
    is_other = own and language.match_supported(own) != current_locale().language
    return format_html(' lang="{}" dir="auto"', own) if is_other else mark_safe(' dir="auto"')


@register.simple_tag
def language_query(sign: str = "?") -> SafeString:
    """At the end of a link to another of these pages: the language that the guest chose, if they chose one. `sign` is
    "&" where there is a query before it."""
    return format_html("{}lang={}", sign, current_locale().choice) if current_locale().choice else mark_safe("")


@register.simple_tag
def language_switch() -> SafeString:
    """The switch: this very page in each language, those of its owner's words before ours."""
    rest = f"{current_locale().query}&" if current_locale().query else ""
    now = current_locale().content or current_locale().language
    links = format_html_join(
        "",
        '<a href="?{}lang={}" lang="{}" hreflang="{}"{}>{}</a>',
        (
            (rest, code, code, code, mark_safe(' aria-current="true"' if code == now else ""), language_name(code))
            for code in _page_languages()
        ),
    )
    return format_html('<nav class="langs" aria-label="{}">{}</nav>', gettext("Language"), links)


@register.simple_tag
def canonical(url: str) -> SafeString:
    """For the head of a page that search engines may list: its own address, and the same in each language."""
    others = format_html_join(
        "",
        '<link rel="alternate" hreflang="{}" href="{}">',
        [*((code, f"{url}?lang={code}") for code in _page_languages()), ("x-default", url)],
    )
    return format_html('<link rel="canonical" href="{}">{}', current_locale().localize_url(url), others)


@register.filter(expects_localtime=True)
def day(value: date | datetime) -> str:
    return language.format_day(value, current_locale().language)


@register.filter(expects_localtime=True)
def short_day(value: date | datetime) -> str:
    return language.format_short_day(value, current_locale().language)


@register.filter
@stringfilter
def bdi(text: str) -> SafeString:
    """An owner's or a guest's words within a sentence of ours, set apart where they run the other way."""
    both_run_right = _text_direction() == "ltr" and not any(bidirectional(char) in ("R", "AL") for char in text)
    return format_html("{}" if both_run_right else "<bdi>{}</bdi>", text) if text else mark_safe("")


def _owner_language() -> str:
    """The language that the owner writes in, of any that there is; empty where none is told."""
    return next(iter(active_brand().languages), "")


def _text_direction() -> str:
    return language.text_direction(current_locale().content or _owner_language() or current_locale().language)


def _page_languages() -> list[str]:
    """The languages in which a page is there."""
    return list(current_locale().contents or language.LANGUAGES)


@register.inclusion_tag("public/parts/field.html")
def guest_field(
    sheet: FormState[Any],
    name: str,
    label: str,
    kind: str = "text",
    help: str = "",
    optional: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """A field of a guest's form with its label, its help and its problem; what it must hold the form's model tells.
    `kind` is text, email, tel, url, number, lines, or check for a box; `optional` says so beside the label. More:
    autocomplete, placeholder, inputmode, rows (of lines), `ours` of a label that is no owner's, and so reads as the
    page does."""
    limits = _field_limits(sheet.model)[name]  # type: ignore[arg-type]  # a class is hashable
    problem = sheet.problems.get(name, "")
    notes = [f"{name}-error"] * bool(problem) + [f"{name}-help"] * bool(help)
    return {
        "name": name,
        "label": label,
        "kind": kind,
        "value": sheet.values.get(name, ""),
        "problem": problem,
        "help": help,
        "rows": more.pop("rows", 3),
        "ours": more.pop("ours", False),
        "optional": optional,
        "required": "default" not in limits,
        "most": limits.get("maxLength"),
        "notes": " ".join(notes),
        "more": more,
    }


@register.simple_tag
def guest_problems(sheet: FormState[Any]) -> SafeString:
    """Above the form: what is wrong with it as a whole, or that something below is."""
    if not sheet.problems:
        return mark_safe("")
    words = sheet.problems.get(WHOLE_FORM) or gettext("Please look at the fields below.")
    return format_html('<p class="note" data-kind="bad" role="alert">{}</p>', words)


@cache
def _field_limits(model: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """The JSON Schema of each of the model's fields."""
    found: dict[str, dict[str, Any]] = model.model_json_schema()["properties"]
    return found
