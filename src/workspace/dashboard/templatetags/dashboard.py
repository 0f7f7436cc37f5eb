"""Tags of the design system: `{% load dashboard %}`.

Each renders a part from templates/dashboard/parts. The package's README lists them with examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django import template
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from workspace.dashboard import charts, form_images, undo_messages
from workspace.dashboard.form_arguments import MARKER_FIELD, TOKEN_FIELD
from workspace.dashboard.forms import FormField, FormRow, ToolForm, field_id, label_from_name
from workspace.lib import money
from workspace.lib.web_address import to_unicode_host
from workspace.owner_translation import OwnerText
from workspace.publishing import icons
from workspace.storage.files.images import MAX_BYTES

register = template.Library()

_LONG_TEXT_LENGTH = 300  # characters; longer text gets a field with several lines


@register.filter
def notes(messages: Iterable[Message]) -> list[undo_messages.FlashMessage]:
    return undo_messages.merge_undo(messages)


@register.filter
def format_number(value: float) -> str:
    """Format a number for display, such as 12,345."""
    return charts.format_number(value)


@register.filter
def readable_host(host: str) -> str:
    """Return an unknown host in Unicode, followed by its ASCII form, because different letters can look alike."""
    letters = to_unicode_host(host)
    return host if letters == host else f"{letters} ({host})"


@register.filter
def has_error(form: ToolForm, names: str) -> bool:
    """Return whether a field with one of these names, or below it, has an error: `{% if form|has_error:"notify" %}`."""
    return any(path.split(".")[0] in names.split() for path in form.errors)


@register.simple_tag(takes_context=True)
def include_again(context: Any, name: str) -> SafeString:
    """Render a template like `include` does, but load it only once for all uses in the same template."""
    rendered: dict[str, SafeString] = context.render_context.setdefault(include_again, {})
    if name not in rendered:
        rendered[name] = context.template.engine.get_template(name).render(context)
    return rendered[name]


@register.simple_tag
def icon(name: str) -> SafeString:
    return icons.render_icon(name)


@register.inclusion_tag("dashboard/parts/form_top.html", takes_context=True)
def form_top(context: Any, form: ToolForm) -> dict[str, Any]:
    """Render the start of a `<form>`: the CSRF and double-submit tokens, and the list of errors."""
    return {
        "form": form,
        "csrf_token": context.get("csrf_token"),
        "token_name": TOKEN_FIELD,
        "summary": form.error_summary(),
    }


@register.simple_tag(takes_context=True)
def larger_plan(context: Any, product: str) -> str:
    """Return the end of a sentence that says how to get a larger plan of the product, or "" on its top plan."""
    return str(context["request"].account.upgrade_hint(product))


@register.simple_tag(takes_context=True)
def or_larger_plan(context: Any, product: str, action: str) -> str:
    """Return advice for when a limit is reached: the action or, if there is one, a larger plan."""
    return str(context["request"].account.with_upgrade_hint(product, action))


@register.simple_tag
def marker(name: str) -> SafeString:
    """Mark a field that the form shows even though the browser may send nothing for it, such as the rows of a list."""
    return format_html('<input type="hidden" name="{}" value="{}">', MARKER_FIELD, name)


@register.filter
def amount(value: float, currency: str) -> str:
    """Format an amount in a tool's answer for display: `{{ row.price|amount:row.currency }}` becomes €35.50."""
    return money.format_exact_amount(Decimal(repr(value)), currency)


@register.simple_tag
def form_rows(form: ToolForm, name: str, spare: int = 1) -> list[FormRow]:
    return form.list_rows(name, spare)


@register.simple_tag
def form_field(form: ToolForm | FormRow, name: str, label: str = "") -> FormField:
    """Return only the field, for custom markup: `{% form_field form "style" as style %}`."""
    return form.get_field(name, label)


@register.inclusion_tag("dashboard/parts/field.html")
def field(
    form: ToolForm | FormRow, name: str, label: str = "", help: str = "", kind: str = "", **more: Any
) -> dict[str, Any]:
    """Render a labeled input with its help, error and constraints.

    `kind` overrides what the schema suggests: text, lines, url, email, tel, search, password, number, date,
    datetime-local, time, color, select, radios, check, switch, checks. Further options: placeholder, autocomplete,
    choices (pairs or texts), groups (named groups of a select's choices), rows, unit, none (the text of an empty
    choice; if it is empty, there is no such choice), optional (False hides the word), pages (True offers the
    account's own pages for an address).
    """
    one = form.get_field(name, label)
    kind = kind or _input_kind(one)
    # for a list with only one selected value, its first
    chosen = set(one.texts) if kind == "checks" else {*(one.texts[:1] or [one.text])}
    groups = [(name, _mark_chosen(_as_pairs(members), chosen)) for name, members in more.pop("groups", ())]
    choices = more.pop("choices", () if groups else one.limits.choices)
    pairs = _mark_chosen(_as_pairs(choices), chosen)
    none = more.pop("none", "–")
    if kind == "select" and none and not one.limits.required and not any(value == "" for value, *_ in pairs):
        pairs.insert(0, ("", none, one.text == ""))
    return {
        "field": one,
        "kind": kind,
        "help": (help or one.limits.description).strip(),  # a blank string suppresses the schema's text
        "choices": pairs,
        "groups": groups,
        "marker": MARKER_FIELD,
        "reads": one.currency or ("whole" if one.limits.kind == "integer" else "number"),
        "optional": not one.limits.required and more.pop("optional", True),
        **more,
    }


def _input_kind(field: FormField) -> str:
    limits = field.limits
    by_format = {"date": "date", "email": "email", "uri": "url", "time": "time", "date-time": "datetime-local"}
    if limits.kind == "boolean":
        return "check"
    if limits.kind == "array":
        return "checks"
    if limits.choices:
        return "select"
    if limits.kind in ("integer", "number"):
        return "number"
    if limits.format in by_format:
        return by_format[limits.format]
    return "lines" if limits.max_length is None or limits.max_length > _LONG_TEXT_LENGTH else "text"


def _as_pairs(choices: Iterable[Any]) -> list[tuple[str, str]]:
    return [
        (str(c[0]), str(c[1])) if isinstance(c, (tuple, list)) else (str(c), label_from_name(str(c))) for c in choices
    ]


def _mark_chosen(pairs: Iterable[tuple[str, str]], chosen: set[str]) -> list[tuple[str, str, bool]]:
    return [(value, words, value in chosen) for value, words in pairs]


@register.inclusion_tag("dashboard/parts/picture_field.html", takes_context=True)
def picture_field(
    context: Any,
    form: ToolForm,
    name: str,
    label: OwnerText = gettext_lazy("Image"),
    help: str = "",
    round: bool = False,
    optional: bool = True,
) -> dict[str, Any]:
    """Render a picture field for `form_images.store_upload(request, form, name, "NAME_id")`.

    It shows the current picture with a checkbox to remove it, and a file input to replace it.
    """
    argument = f"{name}_id"
    id = form.get_value(argument) or ""
    return {
        "name": name,
        "argument": argument,
        "field_id": field_id(name, form.ids),
        "label": label,
        "now": gettext("Current image"),
        "help": help,
        "round": round,
        "optional": optional,
        "id": id,
        "picture": form_images.display_url(context["request"].account, id),
        "errors": (*form.errors.get(name, ()), *form.errors.get(argument, ())),
        "most": MAX_BYTES // 1024 // 1024,
    }


@register.inclusion_tag("dashboard/parts/empty.html")
def empty(title: str, text: str = "", url: str = "", action: str = "", icon: str = "spark") -> dict[str, Any]:
    """Render the empty state of a list: a sentence about what it will contain, and the first action."""
    return {"title": title, "text": text, "url": url, "action": action, "icon": icon}


@register.inclusion_tag("dashboard/parts/copy.html")
def copy(text: str, label: OwnerText = gettext_lazy("Copy"), show: bool = True, id: str = "") -> dict[str, Any]:
    """Render text with a button that copies it. Without scripts, the text can be selected."""
    return {"text": text, "label": label, "show": show, "id": id}


@register.inclusion_tag("dashboard/parts/stat.html")
def stat(label: str, value: Any, note: str = "", icon: str = "") -> dict[str, Any]:
    """Render a tile with a number. Put several into `<div class="stats">`."""
    shown = charts.format_number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
    return {"label": label, "value": shown, "note": note, "icon": icon}


@register.inclusion_tag("dashboard/parts/badge.html")
def badge(text: str, kind: str = "") -> dict[str, Any]:
    """Render a state as one word. `kind` is good, wait, bad or empty."""
    return {"text": text, "kind": kind}


@register.inclusion_tag("dashboard/parts/crumbs.html")
def crumbs(*steps: str) -> dict[str, Any]:
    """Render breadcrumbs from alternating labels and URLs. The last label has no URL.

    Example: `{% crumbs "QR codes" "/app/qr" code.name %}`.
    """
    pairs = [(steps[i], steps[i + 1] if i + 1 < len(steps) else "") for i in range(0, len(steps), 2)]
    return {"pairs": pairs}


@register.inclusion_tag("dashboard/parts/tabs.html", takes_context=True)
def tabs(context: Any, *steps: str) -> dict[str, Any]:
    """Render tabs from alternating labels and URLs.

    The tab of the current page, or of the nearest page above it, is marked.
    """
    path = context["request"].path
    urls = [url.split("?")[0] for url in steps[1::2]]
    nearest = max((url for url in urls if path == url or path.startswith(f"{url}/")), key=len, default="")
    pairs = zip(steps[::2], steps[1::2], strict=False)
    return {"pairs": [(label, url, url.split("?")[0] == nearest) for label, url in pairs]}


@register.inclusion_tag("dashboard/parts/confirm.html", takes_context=True)
def confirm(context: Any, id: str, action: str, title: str, text: str, button: str, **more: Any) -> dict[str, Any]:
    """Render a button whose action is confirmed in a dialog.

    `page` is the URL of a page with the same question, for browsers without script (by default the action's URL, on
    GET). Other options: opener (its text), icon, danger (False for a plain button).
    """
    return {
        "id": id,
        "action": action,
        "title": title,
        "text": text,
        "button": button,
        "opener": more.get("opener", button),
        "page": more.get("page", action),
        "icon": more.get("icon", "bin"),
        "danger": more.get("danger", True),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("dashboard/parts/pager.html", takes_context=True)
def pager(context: Any, listing: dict[str, Any], limit: int = 50) -> dict[str, Any]:
    """Render links to older and newer pages below a list.

    It takes the list returned by a tool, and keeps other query parameters.
    """
    request: HttpRequest = context["request"]
    offset, count, total = listing["offset"], listing["count"], listing["total"]

    def page_query(start: int) -> str:
        query = [(name, value) for name, value in request.GET.items() if name != "offset"]
        return "?" + urlencode([*query, *([("offset", start)] if start > 0 else [])])

    return {
        "first": offset + 1 if count else 0,
        "last": offset + count,
        "total": total,
        "before": page_query(offset - limit) if offset > 0 else "",
        "after": page_query(offset + limit) if listing["has_more"] else "",
    }


@register.simple_tag
def bar_chart(points: Sequence[charts.Point], title: str, unit: str = "") -> SafeString:
    return charts.render_bar_chart(points, title=title, unit=unit)


@register.simple_tag
def line_chart(points: Sequence[charts.Point], title: str, unit: str = "") -> SafeString:
    return charts.render_line_chart(points, title=title, unit=unit)


@register.simple_tag
def share_list(points: Sequence[charts.Point], title: str) -> SafeString:
    return charts.render_share_list(points, title=title)
