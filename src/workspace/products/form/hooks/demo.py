"""Demo data: a form with a few responses."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Account
from workspace.analytics import demo_traffic
from workspace.lib import clock
from workspace.products.form.api.response_stats import START_EVENT
from workspace.products.form.domain import form_definition, submissions
from workspace.products.form.domain.submissions import FormSubmission
from workspace.publishing.models.visit import VIEW_EVENT

DAYS = 40

_PAGES: list[dict[str, Any]] = [
    {
        "key": "party",
        "title": "Your party",
        "fields": [
            {"label": "What are you planning?", "key": "kind", "type": "single_choice", "required": True,
             "options": ["Birthday", "Wedding", "Company party"], "other": True},
            {"label": "Date of the event", "key": "day", "type": "date", "min": "today", "required": True},
            {"label": "Number of guests", "key": "guests", "type": "integer", "min": 10, "max": 200, "required": True},
            {"label": "Do you need catering?", "key": "menu", "type": "yes_no"},
            {"label": "Which menu?", "key": "which", "type": "single_choice", "show_if": {"field": "menu", "is": True},
             "options": [{"label": "Garden menu", "score": 28}, {"label": "Grill menu", "score": 34}]},
            {"label": "Estimated price", "key": "total", "type": "calculated", "formula": "{guests} * {which}",
             "show_if": {"field": "menu", "is": True}},
        ],
    },
    {
        "key": "you",
        "title": "Your contact details",
        "fields": [
            {"label": "Your name", "key": "name", "required": True},
            {"label": "Email", "key": "email", "type": "email", "required": True},
            {"label": "Anything else?", "key": "note", "type": "long_text"},
        ],
    },
]  # fmt: skip
_ANSWERS: list[dict[str, Any]] = [
    {"kind": "Birthday", "guests": 40, "menu": "yes", "which": "Garden menu", "name": "Amira Said",
     "email": "amira@example.net", "note": "Two guests are allergic to nuts."},
    {"kind": "Company party", "guests": 80, "menu": "no", "name": "Ben Okafor", "email": "ben@example.org"},
    {"kind": "Wedding", "guests": 60, "menu": "yes", "which": "Grill menu", "name": "Carla Conti",
     "email": "carla@example.com", "note": "We’d like to be outdoors if the weather is good."},
]  # fmt: skip


def fill_account(account: Account) -> None:
    if account.forms.exists():
        return
    form = form_definition.create_form(
        account, definition=form_definition.parse_definition(pages=_PAGES), title="Party request"
    )
    for place, answers in enumerate(_ANSWERS):
        fields = {**answers, "day": f"{clock.now().year + 1}-06-{10 + place}"}
        submissions.submit_answers(
            form, FormSubmission(1, fields, dedupe_key=f"demo {place}", by_owner=True)
        )  # without notifications
    form.responses.update(by_owner=False)
    demo_traffic.save_visits(
        demo_traffic.generate_visits(
            form.publication_id, {VIEW_EVENT: range(7), START_EVENT: range(3)}, days=DAYS, seed=1204
        )
    )
