"""The lines of an offer on the client's page. There may be hundreds of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from workspace.products.bid.domain.offer_text import OfferRow
from workspace.public_site.bulk_template import render_rows
from workspace.public_site.templatetags.guests import language_attributes

_CHECKED_ATTRIBUTE = mark_safe(" checked")


def render_sections(rows: Sequence[OfferRow], *, only_taken: bool) -> list[tuple[str, SafeString]]:
    """Render the lines by section, in the order of first appearance.

    Options are left out, unless `only_taken` is set.
    """
    result: dict[str, list[OfferRow]] = {}
    for row in rows:
        if row.is_counted if only_taken else not row.optional:
            result.setdefault(row.section, []).append(row)
    return [(section, render_rows("bid/client/line.html", _template_values(some))) for section, some in result.items()]


def render_options(rows: Iterable[OfferRow]) -> SafeString:
    """Render the options with checkboxes, or return an empty string if there are none."""
    return render_rows("bid/client/option.html", _template_values(row for row in rows if row.optional))


def _template_values(rows: Iterable[OfferRow]) -> Iterable[dict[str, Any]]:
    written = language_attributes()
    for row in rows:
        words = format_html('<span class="help"{}>{}</span>', written, linebreaksbr(row.description))
        parts = format_html_join(" ", "<bdi>{}</bdi>", ((part,) for part in row.quantity_parts))
        yield {
            "id": row.id,
            "written": written,
            "name": row.name,
            "total": row.total,
            "checked": _CHECKED_ATTRIBUTE if row.is_counted else "",
            "description": words if row.description else "",
            "quantity": format_html('<span class="help">{} × {}</span>', parts, row.price) if row.quantity else "",
        }
