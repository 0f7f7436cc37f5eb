"""The item layout of proposals."""

from __future__ import annotations

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.owner_translation import owner_gettext_lazy as _
from workspace.products.bid.api import tools
from workspace.products.bid.models import Proposal, Status

LAYOUT = ItemLayout(
    Proposal,
    noun="proposal",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", _("Edit")),
        Tab("send", _("Send")),
        Tab("timeline", _("Timeline"), submissions="question"),
    ),
    settings=("language", "numbers"),
    settings_form="bid/owner/parts/settings.html",
    settings_context={"languages": [(code, language_name(code)) for code in GUEST_LANGUAGES]},
    labels={"numbers.label": _("Label"), "numbers.value": _("Number")},
    deletion_text=_("Approved and declined proposals are archived instead. Their page and records are kept."),
    copy=Duplication(tools.copy, source_argument="id"),
    switch=Switch(is_offered=lambda proposal: proposal.status != Status.DRAFT),  # no one else can see a draft
    has_slug=False,
    has_prints=False,
    is_ready=lambda proposal: proposal.status != Status.DRAFT,
    website=None,  # only the client may see it
    empty_state=(
        _("No proposals yet"),
        _("Send offers that clients can customize, approve and sign on their phone."),
        _("Create proposal"),
    ),
    new_label=_("New proposal"),
    list_actions="bid/owner/parts/list_actions.html",
    list_head="bid/owner/parts/list_head.html",
    list_foot="bid/owner/parts/list_foot.html",
)
