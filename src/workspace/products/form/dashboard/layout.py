"""What the dashboard's frame needs to know of forms."""

from __future__ import annotations

from typing import Any

from workspace.brand.languages import name_of
from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Switch, Tab
from workspace.dashboard.item_presenters import input_time
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.products.form.api import response_tools, tools
from workspace.products.form.api.serializers import FRAME_HEIGHT
from workspace.products.form.dashboard import stats_panel
from workspace.products.form.models import Form
from workspace.public_site import embeds
from workspace.publishing.language import LANGUAGES

MOST_NOTIFIED = 5
SHUT = {"paused": "Paused", "over": "Ended", "full": "Full"}  # in one word, what `Form.closed` says
SETTINGS = {
    "closes_at": "Takes answers until",
    "max_responses": "At most so many responses",
    "thank_you": "Thank-you",
    "thank_you.text": "Thank-you",
    "thank_you.redirect_url": "Or lead them to a web page",
    "notify": "Who else is told",
    "language": "Language of the form",
    "webhook_url": "Push each response to",
}


def _settings(form: Form) -> dict[str, Any]:
    return {
        "closes_at": input_time(clock.iso(form.closes_at), form.account.zone),
        "thank_you": {"text": form.thank_you, "redirect_url": form.redirect_url},
        "webhook_url": webhooks.url_of(form.account, form.pk),
    }


def _on_websites(form: Form) -> dict[str, Any]:
    found = embeds.snippets(form, form.title, FRAME_HEIGHT)
    return {**found, "hosts": form.hosts, "refused": embeds.refused_lately(form)}


FRAME = Frame(
    Form,
    word="form",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Edit"),
        Tab("logic", "Logic"),
        Tab("look", "Look"),
        Tab("responses", "Responses", arrivals="response"),
    ),
    stats=response_tools.stats,
    results="form/parts/results.html",
    drawn_of=stats_panel.drawn,
    settings=("max_responses", "one_per_email", "notify", "receipt", "language"),
    settings_of=_settings,
    settings_form="form/parts/settings.html",
    settings_with={
        "languages": [(code, name_of(code)) for code in LANGUAGES],
        "notified": [f"notify.{place}" for place in range(MOST_NOTIFIED)],
    },
    labels=SETTINGS,
    copy=Copy(tools.create, "title"),
    switch=Switch(
        "accepting",
        is_on=lambda form: form.accepting,
        row_is_on=lambda row: row["accepting"],
        told=("Guests can answer it.", "Guests read that it takes no answers now."),
        shut=lambda form: SHUT.get(form.closed(), ""),
    ),
    gone="Its responses go with it.",
    website=True,
    framed="the form",
    share="form/parts/on_websites.html",
    share_of=_on_websites,
    example="party",
    empty=(
        "No forms yet",
        "Ask what you need to know: a form with its own address, whose answers arrive here.",
        "Make your first form",
    ),
    new="New form",
)
