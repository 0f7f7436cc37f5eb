"""The lines of an offer on its client's page, of which there may be hundreds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from workspace.products.bid.domain.offer_text import Row
from workspace.public_site.bulk_template import drawn
from workspace.public_site.templatetags.guests import as_written

_CHECKED = mark_safe(" checked")


def sections(rows: Sequence[Row], *, only_taken: bool) -> list[tuple[str, SafeString]]:
    """By their heading, in the order in which headings come first; options apart unless all is decided."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.counted if only_taken else not row.optional:
            found.setdefault(row.section, []).append(row)
    return [(section, drawn("bid/client/line.html", _holes(some))) for section, some in found.items()]


def options(rows: Iterable[Row]) -> SafeString:
    """To be ticked; empty for none."""
    return drawn("bid/client/option.html", _holes(row for row in rows if row.optional))


def _holes(rows: Iterable[Row]) -> Iterable[dict[str, Any]]:
    written = as_written()
    for row in rows:
        words = format_html('<span class="help"{}>{}</span>', written, linebreaksbr(row.description))
        parts = format_html_join(" ", "<bdi>{}</bdi>", ((part,) for part in row.number_and_unit))
        yield {
            "id": row.id,
            "written": written,
            "name": row.name,
            "total": row.total,
            "checked": _CHECKED if row.counted else "",
            "description": words if row.description else "",
            "quantity": format_html('<span class="help">{} × {}</span>', parts, row.price) if row.quantity else "",
        }
