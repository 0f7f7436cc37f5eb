"""The item layout of proposals."""

from __future__ import annotations

from workspace.dashboard.duplicate_titles import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.products.bid.api import tools
from workspace.products.bid.models import Proposal, Status

LAYOUT = ItemLayout(
    Proposal,
    noun="proposal",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Edit"),
        Tab("look", "Look"),
        Tab("send", "Send"),
        Tab("timeline", "Timeline", submissions="question"),
    ),
    settings=("language", "numbers"),
    settings_form="bid/parts/settings.html",
    settings_context={"languages": [(code, language_name(code)) for code in GUEST_LANGUAGES]},
    labels={"numbers.label": "What it is", "numbers.value": "Number"},
    deletion_text="One that is approved or declined is archived: its page and its proof stay.",
    copy=Duplication(tools.copy, source_argument="id"),
    switch=Switch(is_offered=lambda proposal: proposal.status != Status.DRAFT),  # no one else can see a draft
    has_slug=False,
    website=None,  # only the client may see it
    empty_state=(
        "No proposals yet",
        "Put lines, options and packages together: your client chooses and approves on a phone, and both of you have "
        "the proof.",
        "Write your first proposal",
    ),
    new_label="New proposal",
    list_actions="bid/parts/list_actions.html",
    list_head="bid/parts/list_head.html",
    list_foot="bid/parts/list_foot.html",
)
