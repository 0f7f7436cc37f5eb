"""The item layout of waivers."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
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
        Tab("", "Text"),
        Tab("rules", "Rules"),
        Tab("kiosk", "Kiosk"),
        Tab("signatures", "Signatures", submissions="signature"),
    ),
    copy=Duplication(tools.create),
    switch=Switch(
        "accepting",
        is_on=lambda waiver: waiver.accepting and waiver.archived_at is None,
        row_is_on=lambda row: row["accepting"],
        messages=("Guests can sign it.", "Guests can’t sign it."),
    ),
    website=True,
    embed_noun="the waiver",
    share="waiver/owner/share.html",
    share_context=_embed_context,
    deletion_text="One that somebody has signed is archived: what was signed stays.",
    example="kayak-hire",
    empty_state=(
        "No waivers yet",
        "Put your text in: people read and sign it on a phone, before they come or at your door.",
        "Write your first waiver",
    ),
    load_rows=summaries_by_id,
    steps=(("", "Text"), ("sign", "Signing")),
    list_actions="waiver/owner/list_actions.html",
    new_label="New waiver",
)
