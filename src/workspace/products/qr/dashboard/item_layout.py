"""The item layout of QR codes."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.owner_translation import owner_gettext_lazy
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
    tabs=(Tab("", owner_gettext_lazy("Edit")), Tab("look", owner_gettext_lazy("Design"))),
    stats=stats_tools.stats,
    counts={"views": owner_gettext_lazy("Scans")},
    results="qr/owner/parts/scans_file.html",
    settings=("fallback_url",),
    settings_form="qr/owner/parts/fallback_field.html",
    labels={"fallback_url": owner_gettext_lazy("Fallback link")},
    share="qr/owner/parts/before_print.html",
    copy=Duplication(bulk_tools.save, "name", is_list=True),
    share_context=_print_context,
    has_page=False,
    preview_suffix="test",
    example="summer-menu",
    empty_state=(
        owner_gettext_lazy("No QR codes yet"),
        owner_gettext_lazy("Print a QR code once and change its destination at any time."),
        owner_gettext_lazy("Create QR code"),
    ),
    load_rows=lambda account, ids: code_summaries(codes_for(account).filter(pk__in=ids)),
    new_label=owner_gettext_lazy("New QR code"),
    list_actions="qr/owner/parts/list_actions.html",
    list_foot="qr/owner/parts/list_foot.html",
    bulk=("/app/qr/sheet", owner_gettext_lazy("Print selected QR codes")),
)
