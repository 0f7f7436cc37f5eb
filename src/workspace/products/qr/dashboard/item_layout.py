"""The item layout of QR codes."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.products.qr.api import bulk_tools, stats_tools, tools
from workspace.products.qr.api.serializers import code_summaries
from workspace.products.qr.domain.queries import codes_for
from workspace.products.qr.models import Code
from workspace.qr_symbols.symbol import encode_symbol, min_print_width


def _print_context(code: Code) -> dict[str, Any]:
    """Return the print width that a static code needs, which grows with its content."""
    if not code.is_static:
        return {}
    size = encode_symbol(code.symbol_text, with_logo=code.logo_id is not None).size
    return {"has_password": bool(code.secret), "least_cm": min_print_width(size)}


LAYOUT = ItemLayout(
    Code,
    noun="code",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look")),
    stats=stats_tools.stats,
    counts={"views": "Scans"},
    results="qr/parts/scans_file.html",
    settings=("fallback_url",),
    settings_form="qr/parts/fallback_field.html",
    labels={"fallback_url": "Meanwhile lead to"},
    share="qr/parts/before_print.html",
    copy=Duplication(bulk_tools.save, "name", is_list=True),
    share_context=_print_context,
    has_page=False,
    preview_suffix="test",
    example="summer-menu",
    empty_state=(
        "No codes yet",
        "Make one now and print it. Where it leads can change at any time, without printing it again.",
        "Make your first code",
    ),
    load_rows=lambda account, ids: code_summaries(codes_for(account).filter(pk__in=ids)),
    new_label="New code",
    list_actions="qr/parts/list_actions.html",
    list_foot="qr/parts/list_foot.html",
    bulk=("/app/qr/sheet", "Print a sheet of the chosen ones"),
)
