"""What the dashboard's frame needs to know of QR codes."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Tab
from workspace.products.qr.api import bulk_tools, stats_tools, tools
from workspace.products.qr.api.serializers import rows
from workspace.products.qr.domain.queries import codes_of
from workspace.products.qr.models import Code
from workspace.qr_symbols.symbol import encode, least_width


def _printing(code: Code) -> dict[str, Any]:
    """What a static one needs on paper, which holds more the more it says."""
    if not code.is_static:
        return {}
    size = encode(code.symbol_text, with_logo=code.logo_id is not None).size
    return {"has_password": bool(code.secret), "least_cm": least_width(size)}


FRAME = Frame(
    Code,
    word="code",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look")),
    stats=stats_tools.stats,
    counts={"views": "Scans"},
    results="qr/parts/scans_file.html",
    settings=("fallback_url",),
    settings_form="qr/parts/fallback_field.html",
    labels={"fallback_url": "Meanwhile lead to"},
    share="qr/parts/more_ways.html",
    copy=Copy(bulk_tools.save_codes, "name", listed=True),
    share_of=_printing,
    has_page=False,
    see="test",
    example="summer-menu",
    empty=(
        "No codes yet",
        "Make one now and print it. Where it leads can change at any time, without printing it again.",
        "Make your first code",
    ),
    rows_of=lambda account, ids: rows(codes_of(account).filter(pk__in=ids)),
    new="New code",
    list_actions="qr/parts/list_actions.html",
    list_foot="qr/parts/list_foot.html",
    bulk=("/app/qr/sheet", "Print a sheet of the chosen ones"),
)
