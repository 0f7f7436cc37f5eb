"""Samples of this product for the tests across all tools.

`SAMPLES` has the arguments for each tool, built from the result of `create_samples`. `LISTS` has a function for each
paginated list that adds a row.
"""

from __future__ import annotations

from typing import Any

from workspace.products.form.domain.submissions import FormSubmission, submit_answers
from workspace.products.form.models import Form, GuestFile
from workspace.testing.api import Api

PAGES: list[dict[str, Any]] = [
    {
        "key": "party",
        "title": "Your party",
        "fields": [
            {"label": "Shall we cook?", "key": "menu", "type": "yes_no", "required": True},
            {"label": "Guests", "key": "guests", "type": "integer", "min": 1, "show_if": {"field": "menu", "is": True}},
            {
                "label": "Menu",
                "key": "which",
                "type": "radio",
                "options": [{"label": "Garden", "score": 28.5}, "Grill"],
            },
            {"label": "About", "key": "total", "type": "calculated", "formula": "{guests} * {which}"},
        ],
        "next": [{"if": {"field": "menu", "is": False}, "go_to": "end"}],
    },
    {
        "key": "you",
        "title": "You",
        "fields": [
            {"label": "Your name", "key": "name", "required": True, "hint": "As we may call you"},
            {"label": "E-mail", "key": "email", "type": "email"},
        ],
    },
]
ANSWERS = {"menu": "yes", "guests": "4", "which": "Garden", "name": "Ada Berger"}


def make_form(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    given = more if "fields" in more else {"pages": PAGES, **more}
    form: dict[str, Any] = api.run("svc_form_create", title=f"Party {number}", **given)
    form.pop("change", None)  # only in answers of writes
    return form


def submit_response(form: Form | str, number: int = 0, **more: Any) -> str:
    """Submit answers as a guest. Return the response's id."""
    found = Form.objects.select_related("account", "publication").get(pk=form) if isinstance(form, str) else form
    answers = {**ANSWERS, "email": f"guest{number}@example.com", **more}
    return submit_answers(found, FormSubmission(found.version, answers, dedupe_key=f"guest {number}")).pk


def _submit_numbered(api: Api, number: int) -> str:
    # the form of `create_samples` is the account's first
    return submit_response(Form.objects.filter(account=api.account).order_by("pk").first(), number + 1000)  # type: ignore[arg-type]


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to: {name in SAMPLES: id}."""
    form = make_form(api, thank_you={"text": "See you soon!"}, notify=["team@example.com"], receipt=True)
    row = Form.objects.select_related("account").get(pk=form["id"])
    file = GuestFile.store_file(row, "file", "plan.txt", "text/plain", b"Four tables")
    return {"form": form["id"], "response": submit_response(form["id"]), "guest_file": file.pk}


SAMPLES = {
    "svc_forms_list": lambda made: {},
    "svc_form_get": lambda made: {"id": made["form"]},
    "svc_form_create": lambda made: {"title": "Party", "pages": PAGES, "max_responses": 50},
    "svc_form_edit": lambda made: {
        "id": made["form"],
        "title": "Garden party",
        "accepting": False,
        "thank_you": {"text": "Thank you!"},
    },
    "svc_form_save_fields": lambda made: {
        "id": made["form"],
        "items": [{"key": "name", "hint": "First and last"}, {"label": "Phone", "type": "tel", "page": "you"}],
        "remove": ["email"],
    },
    "svc_form_test": lambda made: {"id": made["form"], "answers": {"menu": True, "guests": 3, "which": "Garden"}},
    "svc_form_delete": lambda made: {"ids": [made["form"]]},
    "svc_form_responses": lambda made: {"id": made["form"]},
    "svc_form_find_responses": lambda made: {"id": made["form"], "q": "ada", "status": "new"},
    "svc_form_save_responses": lambda made: {
        "id": made["form"],
        "items": [{"response_id": made["response"], "mark": "spam"}, {"answers": {**ANSWERS, "name": "By telephone"}}],
    },
    "svc_form_stats": lambda made: {"id": made["form"]},
    "svc_form_export": lambda made: {"id": made["form"]},
}

LISTS = {"svc_form_responses": _submit_numbered, "svc_form_find_responses": _submit_numbered}

# the value for each part of a URL: a name in the result of `create_samples`, or a literal string
ADDRESSES = {
    "id": "form",
    "token": "no-such-link",
    "key": "name",
    "part": "party",
    "direction": "up",
    "response": "response",
}
