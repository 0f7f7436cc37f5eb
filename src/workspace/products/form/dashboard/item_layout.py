"""The item layout of forms."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.dashboard.item_presenters import format_input_time
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.api import response_tools, tools
from workspace.products.form.api.serializers import EMBED_HEIGHT
from workspace.products.form.dashboard import stats_panel
from workspace.products.form.models import Form
from workspace.public_site import embeds

MAX_NOTIFIED_EMAILS = 5
# labels for the results of `Form.closed_reason`
CLOSED_LABELS = {
    "paused": owner_gettext_lazy("Paused"),
    "over": owner_gettext_lazy("Ended"),
    "full": owner_gettext_lazy("Full"),
}
SETTING_LABELS = {
    "closes_at": owner_gettext_lazy("Closing time"),
    "max_responses": owner_gettext_lazy("Maximum responses"),
    "thank_you": owner_gettext_lazy("Thank-you message"),
    "thank_you.text": owner_gettext_lazy("Thank-you message"),
    "thank_you.redirect_url": owner_gettext_lazy("Redirect to web page"),
    "notify": owner_gettext_lazy("Also notify"),
    "language": owner_gettext_lazy("Form language"),
    "webhook_url": owner_gettext_lazy("Webhook URL"),
}


def _initial_settings(form: Form) -> dict[str, Any]:
    return {
        "closes_at": format_input_time(clock.to_iso(form.closes_at), form.account.zone),
        "thank_you": {"text": form.thank_you, "redirect_url": form.redirect_url},
        "webhook_url": webhooks.item_endpoint_url(form.account, form.pk),
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
        Tab("", owner_gettext_lazy("Edit"), extra_paths=("logic",)),
        Tab("look", owner_gettext_lazy("Design")),
        Tab("responses", owner_gettext_lazy("Responses"), submissions="response"),
    ),
    stats=response_tools.stats,
    results="form/owner/parts/results.html",
    results_context=stats_panel.results_context,
    settings=("max_responses", "one_per_email", "notify", "receipt", "language"),
    extra_initial=_initial_settings,
    settings_form="form/owner/parts/settings.html",
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
        messages=(
            owner_gettext_lazy("People can fill out this form."),
            owner_gettext_lazy("People can’t fill out this form. They see a short notice."),
        ),
        closed_reason=lambda form: CLOSED_LABELS.get(form.closed_reason(), ""),
    ),
    deletion_text=owner_gettext_lazy("Its responses are deleted too."),
    website=True,
    embed_noun=owner_gettext_lazy("the form"),
    share="form/owner/parts/embeds.html",
    share_context=_embed_context,
    example="party",
    empty_state=(
        owner_gettext_lazy("No forms yet"),
        owner_gettext_lazy("Share a form online and collect all answers here."),
        owner_gettext_lazy("Create form"),
    ),
    new_label=owner_gettext_lazy("New form"),
)
