"""What the dashboard's frame needs to know of waivers."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Switch, Tab
from workspace.products.waiver.api import tools
from workspace.products.waiver.api.serializers import FRAME_HEIGHT, rows_of
from workspace.products.waiver.models import Waiver
from workspace.public_site import embeds


def _on_websites(waiver: Waiver) -> dict[str, Any]:
    found = embeds.snippets(waiver, waiver.title, FRAME_HEIGHT)
    return {**found, "hosts": waiver.hosts, "refused": embeds.refused_lately(waiver)}


FRAME = Frame(
    Waiver,
    word="waiver",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Text"),
        Tab("rules", "Rules"),
        Tab("kiosk", "Kiosk"),
        Tab("signatures", "Signatures", arrivals="signature"),
    ),
    copy=Copy(tools.create),
    switch=Switch(
        "accepting",
        is_on=lambda waiver: waiver.accepting and waiver.archived_at is None,
        row_is_on=lambda row: row["accepting"],
        told=("Guests can sign it.", "Guests can’t sign it."),
    ),
    website=True,
    framed="the waiver",
    share="waiver/owner/share.html",
    share_of=_on_websites,
    gone="One that somebody has signed is archived: what was signed stays.",
    example="kayak-hire",
    empty=(
        "No waivers yet",
        "Put your text in: people read and sign it on a phone, before they come or at your door.",
        "Write your first waiver",
    ),
    rows_of=rows_of,
    steps=(("", "Text"), ("sign", "Signing")),
    list_actions="waiver/owner/list_actions.html",
    new="New waiver",
)
