"""The item layout of waivers."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.waiver.api import tools
from workspace.products.waiver.api.serializers import EMBED_HEIGHT, summaries_by_id
from workspace.products.waiver.models import Waiver
from workspace.public_site import embeds


def _embed_context(waiver: Waiver) -> dict[str, Any]:
    snippets = embeds.build_snippets(waiver, waiver.title, EMBED_HEIGHT)
    return {**snippets, "hosts": waiver.hosts, "refused": embeds.list_refused_websites(waiver)}


LAYOUT = ItemLayout(
    Waiver,
    noun="waiver",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", owner_gettext_lazy("Edit")),
        Tab("rules", owner_gettext_lazy("Settings")),
        Tab("kiosk", owner_gettext_lazy("Kiosk")),
        Tab("signatures", owner_gettext_lazy("Signatures"), submissions="signature"),
    ),
    copy=Duplication(tools.create),
    switch=Switch(
        "accepting",
        is_on=lambda waiver: waiver.accepting and waiver.archived_at is None,
        row_is_on=lambda row: row["accepting"],
        messages=(
            owner_gettext_lazy("People can sign this waiver."),
            owner_gettext_lazy("People can’t sign this waiver."),
        ),
    ),
    website=True,
    embed_noun=owner_gettext_lazy("the waiver"),
    share="waiver/owner/share.html",
    share_context=_embed_context,
    deletion_text=owner_gettext_lazy("A waiver with signatures is archived instead. The signatures are kept."),
    example="kayak-hire",
    empty_state=(
        owner_gettext_lazy("No waivers yet"),
        owner_gettext_lazy("Let people read and sign on a phone, before they arrive or at your entrance."),
        owner_gettext_lazy("Create waiver"),
    ),
    load_rows=summaries_by_id,
    steps=(("", owner_gettext_lazy("Text")), ("sign", owner_gettext_lazy("Signing form"))),
    list_actions="waiver/owner/list_actions.html",
    new_label=owner_gettext_lazy("New waiver"),
)
