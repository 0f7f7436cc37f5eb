"""Invitations by email, and the owner's daily digest."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.delivery import mail, outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.testing.api import Api
from workspace.testing.rate_limits import set_limit
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiver(api: Api) -> str:
    return str(api.run("svc_waiver_create", title="Kayak", text="Be careful", language="de")["id"])


def mails(to: str) -> list[str]:
    """Return the subjects of the emails waiting for an address."""
    rows = Delivery.objects.filter(kind=mail.KIND, state=DeliveryState.WAITING).order_by("id")
    return [str(mail.parse_message(row)["subject"]) for row in rows if (row.payload or {}).get("to") == to]


def states(api: Api, id: str) -> dict[str, tuple[str, int]]:
    return {item["email"]: (item["state"], item["times"]) for item in api.run("svc_waiver_get", id=id)["asked"]}


def test_an_address_is_invited_once_and_not_again_after_signing(api: Api, waiver: str, time_machine: Any) -> None:
    time_machine.move_to("2026-06-01T12:00:00Z")
    samples.sign(waiver, api.account)  # signed in English
    done = api.run("svc_waiver_invite", id=waiver, emails=["bea@example.com", "BEA@example.com", "Ada@example.com"])
    assert (done["sent"], done["already"]) == (["BEA@example.com", "Ada@example.com"], [])
    assert mails("BEA@example.com") == ["Bitte unterschreiben: Kayak"]
    assert "Please sign again: Kayak" in mails("Ada@example.com"), "in the language in which she signed"
    again = api.run("svc_waiver_invite", id=waiver, emails=["bea@example.com", "cleo@example.com"])
    assert (again["sent"], again["already"]) == (["cleo@example.com"], ["bea@example.com"])
    assert states(api, waiver)["cleo@example.com"] == ("waiting", 1)

    bea = {"name": "Bea", "email": "bea@EXAMPLE.com", "birth_date": "1990-01-01"}
    samples.sign(waiver, api.account, signer=bea)
    assert mails("BEA@example.com") == [], "what had not left is withdrawn"
    Delivery.objects.filter(dedupe_key__startswith="waiver-invite", payload__to="cleo@example.com").update(
        state=DeliveryState.PARKED
    )
    assert states(api, waiver) == {
        "ada@example.com": ("waiting", 1),
        "bea@example.com": ("signed", 1),
        "cleo@example.com": ("bounced", 1),
    }
    time_machine.move_to("2026-06-03T12:00:00Z")
    assert len(api.run("svc_waiver_invite", id=waiver, emails=["bea@example.com", "cleo@example.com"])["sent"]) == 2
    assert states(api, waiver)["bea@example.com"] == ("waiting", 2)


def test_invitations_have_a_daily_limit(api: Api, waiver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "waiver-invitation", 2)
    api.run("svc_waiver_invite", id=waiver, emails=["a@example.com"])
    told = api.refuse("svc_waiver_invite", id=waiver, emails=["b@example.com", "c@example.com"])["message"]
    assert "1 left today" in told and len(states(api, waiver)) == 1


def test_the_owner_gets_one_digest_of_signatures_per_day(api: Api, waiver: str, time_machine: Any) -> None:
    to = api.account.owner.email
    time_machine.move_to("2026-06-01T12:00:00Z")
    samples.sign(waiver, api.account, participants=[samples.child()])
    time_machine.move_to("2026-06-01T21:59:00Z")
    samples.sign(waiver, api.account)
    assert mails(to) == [], "not at once"
    time_machine.move_to("2026-06-02T08:00:00Z")
    OutboxWorker().drain_once()
    [delivery] = [
        delivery for delivery in Delivery.objects.filter(kind=mail.KIND) if (delivery.payload or {}).get("to") == to
    ]
    body = mail.parse_message(delivery).get_body(("plain",))
    assert body is not None and "Tim King, signed by Ada King" in body.get_content()
    assert mail.parse_message(delivery)["subject"] == "2 people signed on June 1"

    samples.sign(waiver, api.account)
    api.run("svc_account_edit", notifications={"waiver.signed": False})
    time_machine.move_to("2026-06-03T08:00:00Z")
    OutboxWorker().drain_once()
    assert sum((delivery.payload or {}).get("to") == to for delivery in Delivery.objects.filter(kind=mail.KIND)) == 1
    assert outbox.channel_kinds()
