"""Tags of guest pages: `{% load guests %}`."""

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

from workspace.brand.active_brand import active_brand
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.public_site.current_embed import Frame, current_frame
from workspace.public_site.guest_form import WHOLE_FORM, FormState
from workspace.publishing import icons, language
from workspace.publishing.locale import current_locale

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    return icons.render_icon(name)


@register.simple_tag(name="frame")
def frame_tag() -> Frame | None:
    """Return the frame for which the page is rendered, or None: `{% frame as frame %}`."""
    return current_frame()


@register.simple_tag
def page_language() -> SafeString:
    """Render the attributes of the html element: the page's language and the content's text direction."""
    return format_html('lang="{}" dir="{}"', current_locale().language, _text_direction())


@register.simple_tag
def language_attributes(words: str = "") -> SafeString:
    """Render the attributes of an element with text by an owner or a guest, which may be in any language.

    A `LocalizedText` knows its language.
    """
    own = getattr(words, "lang", "") or _owner_language()
    is_other = own and language.match_supported(own) != current_locale().language
    return format_html(' lang="{}" dir="auto"', own) if is_other else mark_safe(' dir="auto"')


@register.simple_tag
def language_query(sign: str = "?") -> SafeString:
    """Render the chosen language as the query of a link to another guest page.

    `sign` is "&" if the URL already has a query.
    """
    return format_html("{}lang={}", sign, current_locale().choice) if current_locale().choice else mark_safe("")


@register.simple_tag
def language_switch() -> SafeString:
    """Render links to this page in each language. Languages of the content come first."""
    rest = f"{current_locale().query}&" if current_locale().query else ""
    now = current_locale().content or current_locale().language
    links = format_html_join(
        "",
        '<a href="?{}lang={}" lang="{}"{}>{}</a>',
        (
            (rest, code, code, mark_safe(' aria-current="true"' if code == now else ""), language_name(code))
            for code in _page_languages()
        ),
    )
    return format_html('<nav class="langs" aria-label="{}">{}</nav>', gettext("Language"), links)


@register.simple_tag
def canonical(url: str) -> SafeString:
    """Render the canonical link and the alternate languages of a page that search engines may index."""
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
    """Isolate text entered by an owner or guest within a sentence if its direction differs."""
    both_run_right = _text_direction() == "ltr" and not any(bidirectional(char) in ("R", "AL") for char in text)
    return format_html("{}" if both_run_right else "<bdi>{}</bdi>", text) if text else mark_safe("")


def _owner_language() -> str:
    """Return the language that the owner writes in, or "" if it is unknown."""
    return next(iter(active_brand().languages), "")


def _text_direction() -> str:
    return language.text_direction(current_locale().content or _owner_language() or current_locale().language)


def _page_languages() -> list[str]:
    """Return the languages of the page."""
    return list(current_locale().contents or GUEST_LANGUAGES)


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
    """Render a field of a guest form with its label, help and problem.

    Its limits come from the form's model. `kind` is text, email, tel, url, number, lines, or check for a checkbox.
    `optional` is shown next to the label. Other arguments: autocomplete, placeholder, inputmode, rows (of lines), and
    `ours` for a label in the page's language instead of the owner's.
    """
    limits = _field_limits(sheet.model)[name]  # type: ignore[arg-type]  # classes are hashable
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
    """Render the problem with the whole form, or a notice that some fields have problems."""
    if not sheet.problems:
        return mark_safe("")
    words = sheet.problems.get(WHOLE_FORM) or gettext("Check the fields below.")
    return format_html('<p class="note" data-kind="bad" role="alert">{}</p>', words)


@cache
def _field_limits(model: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each field of the model."""
    found: dict[str, dict[str, Any]] = model.model_json_schema()["properties"]
    return found
