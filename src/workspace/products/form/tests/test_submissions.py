"""Submissions are validated with the version that the guest saw, saved once, announced, and limited."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from workspace.delivery.models import Delivery, Message
from workspace.products.form.domain.closing_notices import notify_ended
from workspace.products.form.domain.submissions import (
    AnswersInvalidError,
    FormSubmission,
    find_unsent,
    save_unsent,
    submit_answers,
)
from workspace.products.form.models import PARTIAL, SPAM, Form, Response
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.form import ANSWERS, PAGES, make_form, submit_response


def form_of(api: Api, **more: Any) -> Form:
    return Form.objects.select_related("account", "publication").get(pk=make_form(api, **more)["id"])


def send(form: Form, once: str, **answers: Any) -> Response:
    with guest_transaction(form.publication_id):
        return submit_answers(form, FormSubmission(form.version, {**ANSWERS, **answers}, once))


def test_only_visible_answers_are_stored_and_errors_are_reported_by_key(api: Api) -> None:
    form = form_of(api)
    response = send(form, "one", menu="no", guests="4", which="Garden", email="not read", nobody="x")
    assert response.answers == {"menu": False, "which": "Garden", "total": 0}
    with pytest.raises(AnswersInvalidError) as caught:
        send(form, "two", guests="0", which="Fish", name=" ", email="ada@")
    assert caught.value.errors == {
        "guests": "too_small",
        "which": "not_an_option",
        "name": "required",
        "email": "invalid",
    }
    assert form.responses.count() == 1


def test_a_form_sent_twice_is_saved_once(api: Api) -> None:
    form = form_of(api)
    assert send(form, "same").pk == send(form, "same").pk
    assert form.responses.count() == 1


def test_answers_are_validated_and_shown_with_the_version_that_the_guest_saw(api: Api) -> None:
    form = form_of(api)
    started = form.version
    api.run("svc_form_edit", id=form.pk, fields=[{"label": "Only this", "key": "only", "required": True}])
    with guest_transaction(form.publication_id):
        response = submit_answers(form, FormSubmission(started, ANSWERS, "old"))
    [row] = api.run("svc_form_responses", id=form.pk)["items"]
    assert (row["version"], row["answers"]["name"]) == (1, "Ada Berger")
    assert {"key": "guests", "label": "Guests", "text": "4"} in row["labelled"]
    assert response.version == 1
    with pytest.raises(GuestActionDeclinedError):
        submit_answers(form, FormSubmission(9, ANSWERS, "later"))


def test_unsent_answers_are_resumed_and_become_the_response(api: Api) -> None:
    form = form_of(api)
    token = "a token of the device"
    save_unsent(form, 1, {"menu": "yes", "guests": "none"}, "party", resume=token)
    response = find_unsent(form, token)
    assert response is not None and response.answers == {"menu": True, "total": 0}
    assert token not in str(Response.objects.values().get()) and find_unsent(form, "another") is None
    save_unsent(form, 1, {"menu": "yes", "guests": "5"}, "party", resume=token)
    assert Response.objects.get().answers["guests"] == 5
    assert api.run("svc_form_responses", id=form.pk)["total"] == 0
    with guest_transaction(form.publication_id):
        stored = submit_answers(form, FormSubmission(1, ANSWERS, "sent", resume_token=token))
    assert stored.pk == response.pk and not Response.objects.filter(folder=PARTIAL).exists()
    assert find_unsent(form, token) is None


def test_suspected_spam_goes_to_a_folder_without_emails_until_it_is_cleared(api: Api) -> None:
    fields = [{"label": "Email", "key": "email", "type": "email"}, {"label": "Text", "key": "text"}]
    form = form_of(api, receipt=True, notify=["team@example.com"], fields=fields)
    links = "http://a.example http://b.example http://c.example http://d.example"
    with guest_transaction(form.publication_id):
        response = submit_answers(form, FormSubmission(1, {"email": "a@example.com", "text": links}, "spam"))
    assert (response.folder, response.suspicion) == (SPAM, "links") and not Delivery.objects.exists()
    assert api.run("svc_form_responses", id=form.pk)["total"] == 0
    assert api.run("svc_form_find_responses", id=form.pk, status="spam")["total"] == 1
    api.run("svc_form_save_responses", id=form.pk, items=[{"response_id": response.pk, "mark": "ham"}])
    assert api.run("svc_form_responses", id=form.pk)["total"] == 1
    told = {delivery.payload["to"] for delivery in Delivery.objects.all() if delivery.payload}
    assert {"team@example.com", "a@example.com", api.account.owner.email} == told


def test_a_closed_form_accepts_no_responses_except_from_its_owner(api: Api) -> None:
    form = form_of(api)
    api.run("svc_form_edit", id=form.pk, accepting=False)
    with pytest.raises(GuestActionDeclinedError):
        send(form, "late")
    added = api.run("svc_form_save_responses", id=form.pk, items=[{"answers": ANSWERS}])
    assert [row["by_owner"] for row in added["items"]] == [True]
    wrong = api.refuse("svc_form_save_responses", id=form.pk, items=[{"answers": {**ANSWERS, "guests": "many"}}])
    assert [issue["path"] for issue in wrong["issues"]] == ["items.0.answers.guests"]


def test_responses_beyond_the_monthly_limit_are_stored_and_shown_on_a_larger_plan(db: None) -> None:
    api = make_api(make_account(form="free"))
    form = form_of(api)
    first = submit_response(form)
    Response.objects.bulk_create(
        Response(account=api.account, form=form, version=1, dedupe_key=str(number)) for number in range(99)
    )
    late = submit_response(form, 7)
    assert Response.objects.get(pk=late).is_over_limit and not Response.objects.get(pk=first).is_over_limit
    assert api.run("svc_form_responses", id=form.pk)["total"] == 100
    api.account.chosen_plans = {"form": "pro"}
    api.account.save()
    assert api.run("svc_form_responses", id=form.pk)["total"] == 101


def test_fields_are_changed_added_ordered_and_removed(api: Api) -> None:
    form = form_of(api, pages=PAGES)
    result = api.run(
        "svc_form_save_fields",
        id=form.pk,
        items=[{"key": "guests", "max": 80, "show_if": {}}, {"label": "Day", "type": "date", "page": "party"}],
        remove=["email"],
    )
    assert [[field["key"] for field in page["fields"]] for page in result["pages"]] == [
        ["menu", "guests", "which", "total", "day"],
        ["name"],
    ]
    assert result["pages"][0]["fields"][1] == {"key": "guests", "type": "number", "label": "Guests", "min": 1,
                                              "whole": True, "max": 80}  # fmt: skip
    refused = api.refuse(
        "svc_form_save_fields",
        id=form.pk,
        items=[{"key": "menu", "type": "text_area"}, {"label": "X", "page": "nowhere"}],
    )
    assert [issue["path"] for issue in refused["issues"]] == ["items.1.page"]
    refused = api.refuse("svc_form_save_fields", id=form.pk, items=[{"key": "total", "formula": "{nobody}"}])
    assert [issue["path"] for issue in refused["issues"]] == ["items.0.formula"]
    refused = api.refuse("svc_form_save_fields", id=form.pk, remove=["menu"])
    assert refused["issues"][0] == {"path": "pages.0.next.0.if.field", "message": "No field has the key menu."}


def at_once(*acts: Any) -> list[str]:
    """Run the functions at the same time. Return their results."""
    ready = Barrier(len(acts))

    def run(act: Any) -> str:
        try:
            ready.wait(60)
            return str(act().folder)
        except GuestActionDeclinedError:
            return "declined"
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_limits_hold_for_concurrent_submissions() -> None:
    api = make_api(make_account())
    full = form_of(api, max_responses=3)
    page = Client().get(f"/f/{full.slug}").content.decode()
    lines = at_once(*(lambda number=number: send(full, f"cap {number}") for number in range(8)))
    assert lines == ["declined"] * 5 + ["inbox"] * 3
    assert "<form" in page and "maximum number of responses" in Client().get(f"/f/{full.slug}").content.decode()
    form = form_of(api, one_per_email=True)
    lines = at_once(*(lambda number=number: send(form, f"one {number}", email="A@Example.com") for number in range(4)))
    assert lines == ["declined"] * 3 + ["inbox"]
    api.run("svc_form_delete", ids=[form.responses.get().pk])
    assert send(form, "again", email="a@example.com").folder == "inbox"


def test_a_webhook_has_keys_and_labels_if_the_plan_includes_it(api: Api) -> None:
    form = form_of(api, webhook_url="https://hooks.example.com/forms")
    send(form, "one")
    body = json.loads(Message.objects.get().body)
    assert body["type"] == "form.response" and body["data"]["answers"]["guests"] == 4
    assert {"key": "guests", "label": "Guests", "type": "number", "value": 4, "text": "4"} in body["data"]["fields"]
    api.run("svc_form_edit", id=form.pk, webhook_url="")
    send(form, "two")
    assert Message.objects.count() <= 1
    free = make_api(make_account(form="free"))
    refused = free.refuse("svc_form_create", title="Party", webhook_url="https://hooks.example.com/forms")
    assert "doesn’t include webhooks" in refused["message"]


def test_the_owner_is_notified_once_that_a_form_has_closed(api: Api, time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 4, 2, 12, tzinfo=UTC))

    def count_emails() -> int:
        subjects = [(delivery.payload or {}).get("subject", "") for delivery in Delivery.objects.all()]
        return sum(subject.startswith(("Form full: ", "Form closed: ")) for subject in subjects)

    full = form_of(api, max_responses=1)
    send(full, "one")
    with pytest.raises(GuestActionDeclinedError):
        send(full, "two")
    assert count_emails() == 1
    api.run("svc_form_edit", id=full.pk, max_responses=2)
    send(full, "three")
    assert count_emails() == 2, "of another number"

    dated, paused, _ = (form_of(api, closes_at="2026-04-03T12:00:00Z") for _ in range(3))
    api.run("svc_form_edit", id=paused.pk, accepting=False)
    api.run("svc_form_create", title="Another", copy_of=dated.pk)
    assert notify_ended() == 0
    time_machine.move_to(datetime(2026, 4, 3, 13, tzinfo=UTC))
    assert (notify_ended(), notify_ended(), count_emails()) == (3, 0, 5), "not of the one that took nothing before"
    api.run("svc_form_edit", id=dated.pk, closes_at="2026-04-04T12:00:00Z")
    time_machine.move_to(datetime(2026, 4, 4, 13, tzinfo=UTC))
    assert (notify_ended(), count_emails()) == (1, 6), "of another day"
