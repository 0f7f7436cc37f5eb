"""Renewal emails: recipients, language, exclusions, and the content of the link."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.audit_trail.canonical_json import to_canonical_json
from workspace.delivery import mail
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock
from workspace.products.waiver.domain import pdf, renewals, returning_signers
from workspace.products.waiver.domain.queries import get_waiver
from workspace.products.waiver.domain.version_diff import diff_versions
from workspace.products.waiver.models import Signing
from workspace.products.waiver.tests.test_views import _HIDDEN, BROWSER, TYPED
from workspace.testing.api import Api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db
START = datetime(2026, 3, 2, 10, tzinfo=UTC)
_SAID = {"title": "Kayak", "text": "", "clauses": [], "questions": [], "marketing_opt_in": ""}


@pytest.fixture
def waiver(api: Api) -> str:
    made = api.run("svc_waiver_create", title="Kayak", text="We go out.", clauses=samples.CLAUSES, remind=True)
    return str(made["id"])


def signed(api: Api, id: str, name: str, **more: Any) -> Signing:
    signer = {"name": name, "email": f"{name.split()[0].lower()}@example.com", "birth_date": "1990-05-01"}
    return samples.sign(id, api.account, **{"signer": signer, **more})


def work() -> None:
    Delivery.objects.filter(kind=pdf.DELIVERY_KIND).delete()  # PDFs are slow, and tested elsewhere
    OutboxWorker().drain_once()


def list_renewal_emails() -> list[Any]:
    """Return the renewal emails, oldest first, whether sent or waiting."""
    rows = Delivery.objects.filter(kind=mail.KIND, dedupe_key__startswith="waiver-again:").order_by("id")
    return [mail.parse_message(row) for row in rows if row.payload]


def test_a_new_text_is_sent_once_to_everyone_who_has_not_signed_it(api: Api, waiver: str) -> None:
    both = [samples.child(), samples.child("Ann King", "2017-01-02")]
    signed(api, waiver, "Ada King", participants=both)
    signed(api, waiver, "Ada King", participants=[samples.child()])  # a second signing, for one of them
    Signing.objects.update(language="de")
    voided = signed(api, waiver, "Bob Low").signatures.get()
    api.run("svc_waiver_void", signature_ids=[voided.pk], reason="Wrong")
    quiet = signed(api, waiver, "Cy Man")
    renewals.mute_reminders(quiet)
    refused = api.refuse("svc_waiver_edit", id=waiver, ask_again=True)
    assert [issue["path"] for issue in refused["issues"]] == ["ask_again"]
    api.run("svc_waiver_edit", id=waiver, text="We go far out.", material=True, ask_again=True)
    work()
    [told] = list_renewal_emails()
    text = told.get_body(("plain",)).get_content()
    assert told["To"] == "ada@example.com" and "erneut" in told["Subject"]
    assert text.count("Tim King") == text.count("Ann King") == 1
    assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    signed(api, waiver, "Dot New")
    renewals.schedule_renewal(get_waiver(api.account, waiver), renewals.CHANGED)
    work()
    assert len(list_renewal_emails()) == 1, "nobody twice, and nobody who has signed it"
    api.run("svc_waiver_edit", id=waiver, text="We go farther out.", material=True, ask_again=True)
    work()
    assert sorted(email["To"] for email in list_renewal_emails()) == [
        "ada@example.com",
        "ada@example.com",
        "dot@example.com",
    ]


def test_two_weeks_before_the_end_a_reminder_is_sent_once(api: Api, waiver: str) -> None:
    with time_machine.travel(START):
        signed(api, waiver, "Ada King")
        signed(api, waiver, "Bob Low")
        api.run("svc_waiver_edit", id=waiver, valid_for={"days": 7})
        signed(api, waiver, "Eve Day")  # valid for a week: there is no reminder after a single day on the river
        api.run("svc_waiver_edit", id=waiver, valid_for={"years": 1})
    with time_machine.travel(START + timedelta(days=300)):
        work()
        assert list_renewal_emails() == []
        signed(api, waiver, "Bob Low")
    with time_machine.travel(START + timedelta(days=352)):
        work()
        [told] = list_renewal_emails()
        assert told["To"] == "ada@example.com" and "2 March 2027" in told["Subject"]
        api.run("svc_waiver_edit", id=waiver, remind=True)
        work()
        assert len(list_renewal_emails()) == 1
    with time_machine.travel(START + timedelta(days=300 + 352)):
        work()
        assert [email["To"] for email in list_renewal_emails()] == ["ada@example.com", "bob@example.com"]


def test_turning_reminders_on_later_includes_earlier_signatures(api: Api, waiver: str) -> None:
    with time_machine.travel(START):
        api.run("svc_waiver_edit", id=waiver, remind=False)
        signed(api, waiver, "Ada King")
    with time_machine.travel(START + timedelta(days=345)):
        api.run("svc_waiver_edit", id=waiver, remind=True)
        work()
        assert list_renewal_emails() == []
    with time_machine.travel(START + timedelta(days=352)):
        work()
        assert len(list_renewal_emails()) == 1


def test_a_waiting_email_is_withdrawn_after_signing_or_unsubscribing(api: Api, waiver: str) -> None:
    ada, bob = signed(api, waiver, "Ada King"), signed(api, waiver, "Bob Low")
    api.run("svc_waiver_edit", id=waiver, text="Other", material=True)
    assert renewals.send_renewals(get_waiver(api.account, waiver), renewals.CHANGED) == (2, "")
    signed(api, waiver, "Ada King")
    path = urlsplit(str(list_renewal_emails()[-1]["List-Unsubscribe"]).strip(" <>"))
    guest = Client()
    assert "Stop reminders?" in guest.get(f"{path.path}?{path.query}").content.decode()
    assert not Signing.objects.filter(muted=True).exists()
    assert guest.post(f"{path.path}?{path.query}", {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert guest.post(f"{path.path}?who=x").status_code == 404
    bob.refresh_from_db()
    assert (
        bob.muted
        and Delivery.objects.filter(state=DeliveryState.WITHDRAWN).count() == 2
        and list_renewal_emails() == []
    )
    assert ada.pk != bob.pk


def test_a_batch_takes_a_few_queries_however_many_emails_it_sends(api: Api, waiver: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(renewals, "BATCH_SIZE", 4)
    monkeypatch.setattr(renewals, "MAX_BATCHES", 2)
    for number in range(9):
        signed(api, waiver, f"Guest{number} King")
    api.run("svc_waiver_edit", id=waiver, text="Other", material=True)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert renewals.send_renewals(get_waiver(api.account, waiver), renewals.CHANGED) == (6, "guest5@example.com")
        assert renewals.send_renewals(get_waiver(api.account, waiver), renewals.CHANGED, "guest5@example.com") == (
            3,
            "",
        )
    lines = [
        query["sql"]
        for query in queries.captured_queries
        if "signature" in query["sql"] and query["sql"].startswith("SELECT")
    ]
    assert len(lines) <= 4 * 2 + 4 and len(list_renewal_emails()) == 9


def test_the_link_shows_changes_and_prefills_the_signer(api: Api, waiver: str) -> None:
    signing = signed(api, waiver, "Ada King", participants=[samples.child(), samples.child("Old King", "2009-01-02")])
    api.run("svc_waiver_edit", id=waiver, text="We go out at night.", material=True)
    api.run(
        "svc_waiver_void", signature_ids=[signing.signatures.get(name="Tim King").pk], reason="Again", ask_again=True
    )
    [voided] = [
        delivery
        for delivery in Delivery.objects.filter(kind=mail.KIND)
        if "No longer valid" in (delivery.payload or {}).get("subject", "")
    ]
    body = mail.parse_message(voided).get_body(("plain",)).get_content()
    theirs = urlsplit(next(word for word in body.split() if "/sign?again=" in word))
    row = get_waiver(api.account, waiver)
    link = urlsplit(returning_signers.renewal_url(signing))
    guest = Client(headers=BROWSER)
    html = guest.get(f"{theirs.path}?{theirs.query}").content.decode()
    assert 'value="Tim King"' in html and "Old King" not in html, "the others count as they did"
    html = guest.get(f"{link.path}?{link.query}").content.decode()
    assert "Tim King" not in html and 'value="Old King"' in html
    signing.signatures.filter(name="Old King").update(voided_at=clock.now())
    assert 'value="Tim King"' in guest.get(f"{link.path}?{link.query}").content.decode(), "when nobody is left, all"
    signing.signatures.update(voided_at=None)
    with time_machine.travel(datetime(2027, 6, 1, tzinfo=UTC)):
        html = guest.get(f"{link.path}?{link.query}").content.decode()
        assert "<ins>at night.</ins>" in html or "<ins>out at night.</ins>" in html
        assert 'value="Ada King"' in html and 'value="Tim King"' in html and "Old King" not in html, "of age by now"
        assert 'name="typed" value=""' in html and 'name="initials-risk" value=""' in html
    hidden = dict(_HIDDEN.findall(guest.get(f"{link.path}?{link.query}").content.decode()))
    assert guest.get(f"{link.path}?again=forged").content.decode().count("Ada King") == 0
    with time_machine.travel(clock.now() + timedelta(seconds=30)):
        back = guest.post(link.path, {**hidden, **TYPED, "children": "0", "typed": ""}).content.decode()
        assert "at night." in back and "Changes since" in back
        assert guest.post(link.path, {**hidden, **TYPED, "children": "0"}).status_code == 303
    assert row.signings.count() == 2


def test_differences_are_short() -> None:
    rules = {"key": "rules", "title": "Rules", "text": "One.\n\nTwo words here.\n\nThree."}
    risk = {"key": "risk", "title": "Risk", "text": "It turns over."}
    before = to_canonical_json({**_SAID, "clauses": [risk, rules, {"key": "old", "title": "Old", "text": "Gone"}]})
    new = {"key": "new", "title": "New", "text": "Come"}
    after = to_canonical_json(
        {**_SAID, "clauses": [{**rules, "text": "One.\n\nTwo *other* words here.\n\nThree."}, risk, new]}
    )
    results = [
        (diff_version.where, diff_version.kind, [[(p.kind, p.words) for p in par] for par in diff_version.paragraphs])
        for diff_version in diff_versions(before, after)
    ]
    assert results[0] == ("Rules", "changed", [[("same", "Two"), ("new", "other"), ("same", "words here.")]])
    assert results[1:] == [("New", "new", [[("new", "Come")]]), ("Old", "gone", [[("gone", "Gone")]])]
    assert diff_versions(before, before) == []
