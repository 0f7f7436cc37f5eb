"""The item layout of forms."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.duplicate_titles import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.dashboard.item_presenters import format_input_time
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.products.form.api import response_tools, tools
from workspace.products.form.api.serializers import EMBED_HEIGHT
from workspace.products.form.dashboard import stats_panel
from workspace.products.form.models import Form
from workspace.public_site import embeds

MAX_NOTIFIED_EMAILS = 5
CLOSED_LABELS = {"paused": "Paused", "over": "Ended", "full": "Full"}  # labels for the results of `Form.closed_reason`
SETTING_LABELS = {
    "closes_at": "Takes answers until",
    "max_responses": "At most so many responses",
    "thank_you": "Thank-you",
    "thank_you.text": "Thank-you",
    "thank_you.redirect_url": "Or lead them to a web page",
    "notify": "Who else is told",
    "language": "Language of the form",
    "webhook_url": "Push each response to",
}


def _initial_settings(form: Form) -> dict[str, Any]:
    return {
        "closes_at": format_input_time(clock.to_iso(form.closes_at), form.account.zone),
        "thank_you": {"text": form.thank_you, "redirect_url": form.redirect_url},
        "webhook_url": webhooks.endpoint_url(form.account, form.pk),
    }


def _embed_context(form: Form) -> dict[str, Any]:
    snippets = embeds.build_snippets(form, form.title, EMBED_HEIGHT)
    return {**snippets, "hosts": form.hosts, "refused": embeds.list_refused_websites(form)}


LAYOUT = ItemLayout(
    Form,
    noun="form",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Edit"),
        Tab("logic", "Logic"),
        Tab("look", "Look"),
        Tab("responses", "Responses", submissions="response"),
    ),
    stats=response_tools.stats,
    results="form/parts/results.html",
    results_context=stats_panel.results_context,
    settings=("max_responses", "one_per_email", "notify", "receipt", "language"),
    extra_initial=_initial_settings,
    settings_form="form/parts/settings.html",
    settings_context={
        "languages": [(code, language_name(code)) for code in GUEST_LANGUAGES],
        "notified": [f"notify.{place}" for place in range(MAX_NOTIFIED_EMAILS)],
    },
    labels=SETTING_LABELS,
    copy=Duplication(tools.create, "title"),
    switch=Switch(
        "accepting",
        is_on=lambda form: form.accepting,
        row_is_on=lambda row: row["accepting"],
        messages=("Guests can answer it.", "Guests read that it takes no answers now."),
        closed_reason=lambda form: CLOSED_LABELS.get(form.closed_reason(), ""),
    ),
    deletion_text="Its responses go with it.",
    website=True,
    embed_noun="the form",
    share="form/parts/embeds.html",
    share_context=_embed_context,
    example="party",
    empty_state=(
        "No forms yet",
        "Ask what you need to know: a form with its own address, whose answers arrive here.",
        "Make your first form",
    ),
    new_label="New form",
)
