"""Statistics of responses, computed with the version that each guest saw."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.products.form.domain.submissions import save_unsent
from workspace.products.form.models import Form, FormVersion
from workspace.testing.api import Api
from workspace.testing.samples.form import ANSWERS, make_form, submit_response

FIELDS: list[dict[str, Any]] = [
    {"label": "Children?", "key": "kids", "type": "yes_no"},
    {"label": "How many", "key": "count", "type": "integer", "show_if": {"field": "kids", "is": True}},
    {"label": "Twice", "key": "twice", "type": "calculated", "formula": "{count} * 2"},
    {"label": "A large room?", "key": "large", "type": "yes_no", "show_if": {"field": "twice", "gt": 4}},
]


def question_counts(api: Api, form: str) -> dict[str, tuple[int, int]]:
    """Return for each question how many guests saw it and how many answered."""
    result = api.run("svc_form_stats", id=form)
    return {question["key"]: (question["asked"], question["answered"]) for question in result["questions"]}


def test_who_was_asked_depends_on_the_version(api: Api) -> None:
    form = make_form(api, fields=FIELDS)["id"]
    submit_response(form, 1, kids="no")
    submit_response(form, 2, kids="yes", count="2")
    submit_response(form, 3, kids="yes", count="5", large="yes")
    assert question_counts(api, form) == {"kids": (3, 3), "count": (2, 2), "twice": (3, 3), "large": (1, 1)}
    [count] = [question for question in api.run("svc_form_stats", id=form)["questions"] if question["key"] == "count"]
    assert [(option["label"], option["count"], option["percent"]) for option in count["options"]] == [
        ("2", 1, 50.0),
        ("5", 1, 50.0),
    ]
    # from now on everyone is asked this question, and a new one that was never asked before
    items = [{"key": "count", "show_if": {}}, {"key": "pets", "label": "Pets?", "type": "yes_no"}]
    api.run("svc_form_save_fields", id=form, items=items, remove=["large"])
    assert question_counts(api, form) == {"kids": (3, 3), "count": (2, 2), "twice": (3, 3), "pets": (0, 0)}
    submit_response(form, 4, kids="no", pets="yes")
    assert question_counts(api, form) == {"kids": (4, 4), "count": (3, 2), "twice": (4, 4), "pets": (1, 1)}


def test_a_removed_page_still_shows_how_many_stopped_there(api: Api) -> None:
    made = make_form(api)
    form = Form.objects.get(pk=made["id"])
    save_unsent(form, form.version, ANSWERS, "you", resume="device")
    api.run("svc_form_save_fields", id=form.pk, pages=[{"key": "party"}])
    stops = api.run("svc_form_stats", id=form.pk)["stops"]
    assert [(stop["page"], stop["stopped"]) for stop in stops] == [("party", 0), ("you", 1)]


def test_the_number_of_queries_does_not_depend_on_versions_and_responses(api: Api) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            api.run("svc_form_stats", id=form)
        return len(seen)

    form = make_form(api, fields=FIELDS)["id"]
    submit_response(form)
    few = queries()
    for number in range(1, 5):
        api.run("svc_form_save_fields", id=form, items=[{"key": "kids", "hint": f"Version {number}"}])
        submit_response(form, number, kids="yes", count="2")
    assert FormVersion.objects.filter(form=form).count() == 5
    assert queries() == few
