"""A client decides once, on the version that they saw, and the agreement can be proven afterwards."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workspace.audit_trail.models import Record
from workspace.audit_trail.verification import verify_chain
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.products.bid.domain import client_questions, decisions, read_receipts
from workspace.products.bid.domain.decisions import ProposalChangedError
from workspace.products.bid.models import Decision, Proposal, Revision
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.tests.clients import ADA, approve, get_opened
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_bid, make_sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def bid(api: Api) -> Proposal:
    return get_opened(make_sent(api)["id"])


def subjects() -> list[str]:
    return [
        str((delivery.payload or {})["subject"])
        for delivery in Delivery.objects.filter(kind="email").order_by("created_at", "id")
    ]


def test_an_approval_stores_the_selection_and_the_totals(api: Api, bid: Proposal) -> None:
    decision = approve(bid, Selection("p1", frozenset({"l4"})), strokes=[[[1, 2], [30, 40]]])
    result = api.run("svc_bid_get", id=bid.pk)
    [told] = result["decisions"]
    assert (result["status"], told["by"], told["signature"], told["proof"]) == ("approved", "client", "drawn", "holds")
    assert told["selection"] == {"package": "p1", "options": ["l4"]}
    # 1140 + 475 (untaxed) + 560 + 480 = 2655; 5 % discount; 8.5 % tax on the taxed amounts
    assert told["totals"]["subtotal"] == 2655.0 and told["totals"]["discount"] == 132.75
    assert told["totals"]["deposit"] == 200.0
    body = json.loads(Record.objects.get(pk=decision.record).body)
    assert body["data"]["revision_hash"] == bid.revision_hash
    assert body["data"]["totals"]["total"] == round(told["totals"]["total"] * 100)
    assert "Ada" not in json.dumps(body), "people stand in it by digests"
    assert any(subject.startswith("Approved: Garden party 0, $") for subject in subjects())
    assert Delivery.objects.filter(kind="bid.seal").count() == 1
    assert verify_chain(api.account) == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [({"hash": "0" * 64}, "revised"), ({"total": 1}, "sum")],
)
def test_a_proposal_that_differs_from_what_the_client_saw_is_not_approved(
    bid: Proposal, wrong: dict[str, Any], why: str
) -> None:
    with pytest.raises(ProposalChangedError) as error:
        approve(bid, **wrong)
    assert (error.value.cause, error.value.status) == (why, 409)
    assert Proposal.objects.get(pk=bid.pk).status == "sent" and not Decision.objects.exists()


def test_a_page_opened_before_an_edit_cannot_approve(api: Api, bid: Proposal) -> None:
    api.run("svc_bid_edit", id=bid.pk, tax_rate=20)
    with pytest.raises(ProposalChangedError, match="changed"):
        approve(bid)
    assert approve(get_opened(bid.pk)).revision.number == 2


def test_a_draft_and_an_incomplete_selection_cannot_be_approved(api: Api, bid: Proposal) -> None:
    with pytest.raises(ProposalChangedError):
        approve(get_opened(make_bid(api)["id"]))
    with pytest.raises(GuestActionDeclinedError, match="package"):
        approve(bid, Selection(None, frozenset()))
    with pytest.raises(GuestActionDeclinedError, match="can’t be printed"):
        approve(bid, signer=replace(ADA, name="Ada \U00013000"))
    assert approve(bid, signer=replace(ADA, name="阿达 آدا Ada")).name == "阿达 آدا Ada"


def test_after_the_last_day_in_the_accounts_zone_only_the_owner_can_approve(api: Api, time_machine: Any) -> None:
    api.account.time_zone = "Pacific/Auckland"
    api.account.save()
    time_machine.move_to(datetime(2026, 6, 1, tzinfo=UTC))
    bid = get_opened(make_sent(api, valid_until="2026-06-10")["id"])
    time_machine.move_to(datetime(2026, 6, 10, 11, 59, tzinfo=UTC))  # a minute before midnight in that zone
    assert not get_opened(bid.pk).is_expired
    time_machine.move_to(datetime(2026, 6, 10, 12, 0, tzinfo=UTC))
    assert api.run("svc_bid_list")["items"][0]["expired"] is True
    with pytest.raises(ProposalChangedError) as error:
        approve(bid)
    assert error.value.cause == "expired"
    other = {"package": "p9", "options": ["l4", "l1"]}
    refused = api.refuse("svc_bid_decide", id=bid.pk, decision="approved", selection=other)
    assert [issue["path"] for issue in refused["issues"]] == ["selection.package", "selection.options.1"]
    result = api.run("svc_bid_decide", id=bid.pk, decision="approved", note="They called")
    [decision] = result["decisions"]
    assert (decision["by"], decision["signature"], decision["words"]) == ("owner", "", "They called")
    assert Record.objects.filter(kind="bid.approved", thing=bid.pk).exists()


def test_a_decision_is_final_but_can_be_reopened_within_30_days(api: Api, bid: Proposal, time_machine: Any) -> None:
    approve(bid)
    refused = api.refuse("svc_bid_edit", id=bid.pk, title="Another")
    assert "kind=version" in refused["message"]
    assert "already" in api.refuse("svc_bid_decide", id=bid.pk, decision="declined")["message"]
    api.run("svc_bid_decide", id=bid.pk, decision="reopened", note="By mistake")
    result = api.run("svc_bid_get", id=bid.pk)
    assert result["status"] == "viewed" and [decision["stands"] for decision in result["decisions"]] == [False]
    assert approve(get_opened(bid.pk)).is_current and Decision.objects.filter(proposal=bid).count() == 2
    time_machine.move_to(clock.now() + timedelta(days=31))
    assert "30 days" in api.refuse("svc_bid_decide", id=bid.pk, decision="reopened")["message"]
    version = api.run("svc_bid_copy", id=bid.pk, kind="version")
    assert api.run("svc_bid_get", id=version["id"])["version_of"] == bid.pk


def test_a_declined_proposal_has_a_reason_and_a_withdrawn_one_counts_as_declined(api: Api, bid: Proposal) -> None:
    prepared = decisions.prepare_decline(bid, bid.revision_hash, "price", "Too dear for us", ADA)
    with guest_transaction(bid.publication_id):
        decisions.save_decision(prepared)
    [told] = api.run("svc_bid_get", id=bid.pk)["decisions"]
    assert (told["outcome"], told["reason"], told["words"]) == ("declined", "price", "Too dear for us")
    assert "Declined: Garden party 0" in subjects()
    other = make_sent(api, 2)
    result = api.run("svc_bid_decide", id=other["id"], decision="withdrawn")
    assert (result["status"], result["decisions"][0]["outcome"]) == ("declined", "withdrawn")


def test_a_deposit_can_be_marked_as_paid(api: Api, bid: Proposal) -> None:
    approve(bid)
    result = api.run("svc_bid_decide", id=bid.pk, decision="approved", deposit_paid=True)
    assert result["decisions"][0]["deposit_paid_at"] and len(result["decisions"]) == 1
    assert "cannot_be_undone" not in result["change"]
    api.run("svc_undo", change_id=result["change"]["id"])
    assert api.run("svc_bid_get", id=bid.pk)["decisions"][0]["deposit_paid_at"] is None


def test_a_changed_field_of_a_record_or_a_revision_is_reported(api: Api, bid: Proposal) -> None:
    decision = approve(bid)
    Revision.objects.filter(pk=decision.revision_id).update(body=decision.revision.body.replace("28.5", "29.5"))
    assert "Revision 1 was changed" in api.run("svc_bid_get", id=bid.pk)["decisions"][0]["proof"]
    Revision.objects.filter(pk=decision.revision_id).update(body=decision.revision.body)
    sums = {**decision.totals, "total": decision.totals["total"] + 1}
    Decision.objects.filter(pk=decision.pk).update(totals=sums)
    assert "different amounts" in api.run("svc_bid_get", id=bid.pk)["decisions"][0]["proof"]
    row = Record.objects.get(pk=decision.record)
    Record.objects.filter(pk=row.pk).update(body=row.body.replace('"by":"client"', '"by":"owner"'))
    assert "was changed" in api.run("svc_bid_get", id=bid.pk)["decisions"][0]["proof"]


def test_a_view_counts_once_and_the_owner_is_notified_once(api: Api, bid: Proposal, time_machine: Any) -> None:
    for device, counts in (("mobile", True), ("mobile", False), ("desktop", True)):
        with guest_transaction(bid.publication_id):
            assert read_receipts.record_revision_view(get_opened(bid.pk), bid.revision_hash, device) is counts
    with guest_transaction(bid.publication_id):
        read_receipts.record_reading_time(get_opened(bid.pk), "desktop", {"terms": 12.7, "intro": -4, "nonsense": 9})
    result = api.run("svc_bid_get", id=bid.pk)
    assert (result["status"], result["views"]) == ("viewed", 2)
    assert result["status_history"][-1]["seconds"] == {"terms": 12}
    assert len([subject for subject in subjects() if "opened" in subject]) == 1


def test_an_emailed_code_confirms_the_address(bid: Proposal, time_machine: Any) -> None:
    with guest_transaction(bid.publication_id):
        client_questions.send_code(bid, "Ada@Example.com", "de")
    code = subjects()[-1].split(" ist ")[0]
    with guest_transaction(bid.publication_id):
        assert client_questions.check_code(bid, "ada@example.com", "000 000" if code != "000 000" else "1") == ""
        assert client_questions.check_code(bid, "bea@example.com", code) == ""
        word = client_questions.check_code(bid, "ada@example.com", code)
    assert client_questions.is_confirmed(bid, "ADA@example.com", word) and not client_questions.is_confirmed(
        bid, "bea@example.com", word
    )
    assert not client_questions.is_confirmed(bid, "ada@example.com", word + "x")
    with guest_transaction(bid.publication_id):
        for _ in range(3):
            client_questions.check_code(bid, "ada@example.com", "1")
    with pytest.raises(GuestActionDeclinedError, match="wrong codes"), guest_transaction(bid.publication_id):
        client_questions.check_code(bid, "ada@example.com", code)
    with guest_transaction(bid.publication_id):
        client_questions.send_code(bid, "ada@example.com", "en")
        client_questions.send_code(bid, "ada@example.com", "en")
    with pytest.raises(GuestActionDeclinedError, match="several codes"), guest_transaction(bid.publication_id):
        client_questions.send_code(bid, "ada@example.com", "en")


def test_a_proposal_emails_ten_codes_a_day(bid: Proposal, time_machine: Any) -> None:
    def send_code() -> None:
        with guest_transaction(bid.publication_id):
            client_questions.send_code(bid, "ada@example.com", "en")

    time_machine.move_to(clock.now(), tick=False)
    for number in range(10):
        if number and number % 3 == 0:
            time_machine.shift(3600)
        send_code()
    time_machine.shift(3600)
    with pytest.raises(GuestActionDeclinedError, match="several codes"):
        send_code()
    time_machine.shift(20 * 3600)
    send_code()


def test_a_question_is_open_until_it_is_answered(api: Api, bid: Proposal) -> None:
    for _ in range(2):
        with guest_transaction(bid.publication_id):
            client_questions.save_question(bid, "form 1", name="Ada", email="ada@example.com", text="Is cake included?")
    [asked] = api.run("svc_bid_get", id=bid.pk)["messages"]
    assert asked["answered"] is False
    sent = api.run("svc_bid_send", id=bid.pk, kind="reply", message="Yes, it is.")
    assert sent["to"] == "ada@example.com"
    messages = api.run("svc_bid_get", id=bid.pk)["messages"]
    assert [(message["by"], message["answered"]) for message in messages] == [("client", True), ("owner", True)]


@pytest.mark.parametrize("given", [5, [[1, 2]], [[[1, 2, 3]]], [[["x", 1]]], [[[0, 10**9]]], [[[0, 0]] * 5000]])
def test_an_invalid_drawing_is_rejected(given: Any) -> None:
    with pytest.raises(ValueError, match="signature"):
        decisions.clean_signature_strokes(given)
    assert decisions.clean_signature_strokes([[[1.7, 2], [3, 4]], []]) == [[[1, 2], [3, 4]]]
