"""Opening tickets, continuing threads, and limits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from workspace.accounts.models import Upload
from workspace.delivery import mail
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction
from workspace.support import message_ids, tickets
from workspace.support.models import Message, Ticket
from workspace.support.models.ticket import TEAM
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # one pixel


def create_ticket(api: Api, **more: str) -> Ticket:
    told = api.run("svc_support_open", **{"subject": "Codes", "message": "Where does it lead?", **more})
    return Ticket.objects.get(key=told["id"])


def answer_ticket(ticket: Ticket, text: str = "There.") -> Message:
    with write_transaction():
        return tickets.add_message(tickets.lock_ticket(ticket.pk), TEAM, text)


def letters() -> list[tuple[str, str]]:
    found = Delivery.objects.filter(kind=mail.KIND).order_by("id")
    return [(str(one.payload["to"]), str(one.payload["subject"])) for one in found if one.payload]


def test_a_ticket_is_confirmed_by_email_and_sent_to_the_administrator(api: Api, settings) -> None:
    settings.OPERATOR_EMAIL = "team@example.com"
    told = api.run("svc_support_open", subject="Codes", message="Where does it lead?", product="qr")
    assert told["status"] == "open"
    number = told["number"]
    owner = api.account.owner.email
    assert sorted(letters()) == sorted(
        [
            (owner, f"Re: Codes [#{number}]"),
            ("team@example.com", f"New ticket from Corner Café: Codes [#{number}]"),
        ]
    )
    [row] = api.run("svc_support_tickets")["tickets"]
    assert (row["id"], row["subject"], row["product"], row["status"]) == (told["id"], "Codes", "qr", "open")
    assert "messages" not in row


def test_a_ticket_can_be_withdrawn_until_it_is_answered(api: Api, settings) -> None:
    settings.OPERATOR_EMAIL = "team@example.com"
    told = api.run("svc_support_open", subject="Codes", message="Where does it lead?")
    api.run("svc_undo", change_id=told["change"]["id"])
    assert not Ticket.objects.exists()
    assert letters() == []  # none was sent
    told = api.run("svc_support_open", subject="Menus", message="What does it cost?")
    Delivery.objects.filter(payload__to="team@example.com").update(state="sent")
    api.run("svc_undo", change_id=told["change"]["id"])
    assert letters()[-1] == ("team@example.com", f"Ticket withdrawn: Menus [#{told['number']}]")
    told = api.run("svc_support_open", subject="Forms", message="How many?")
    answer_ticket(Ticket.objects.get())
    assert "close: true" in api.refuse("svc_undo", change_id=told["change"]["id"])["message"]
    assert Ticket.objects.get().messages.count() == 2


def test_replies_change_the_status_of_a_thread(api: Api) -> None:
    ticket = create_ticket(api)
    answer_ticket(ticket, "To the menu.")
    [row] = api.run("svc_support_tickets", ticket_id=ticket.key)["tickets"]
    assert row["status"] == "answered"
    assert [(one["from"], one["text"]) for one in row["messages"]] == [
        ("you", "Where does it lead?"),
        ("team", "To the menu."),
    ]
    ticket.refresh_from_db()
    assert ticket.waiting_since is None
    assert api.run("svc_support_reply", ticket_id=ticket.key, message="Thanks")["status"] == "open"
    assert api.run("svc_support_reply", ticket_id=ticket.key, close=True)["status"] == "closed"
    assert api.run("svc_support_reply", ticket_id=ticket.key, message="One more")["status"] == "open"


def test_an_answer_has_a_signed_message_id(api: Api, settings) -> None:
    settings.SUPPORT_ADDRESS = "help@example.com"
    ticket = create_ticket(api)
    first, second = answer_ticket(ticket), answer_ticket(ticket, "And there.")
    sent = [mail.parse_message(one) for one in Delivery.objects.filter(kind=mail.KIND).order_by("id")][-2:]
    assert [one["Message-ID"].strip() for one in sent] == [first.message_id, second.message_id]
    assert message_ids.number_in_message_id(str(first.message_id)) == ticket.pk
    assert message_ids.number_in_address(str(sent[1]["Reply-To"])) == ticket.pk
    # With a long number, the header is folded after its name.
    assert {sent[1][name].strip() for name in ("In-Reply-To", "References")} == {first.message_id}
    body = sent[1].get_body(("plain",))
    assert body is not None
    assert body.get_content().startswith("## Write above this line ##")


def test_an_address_with_a_wrong_signature_is_rejected(settings) -> None:
    settings.SUPPORT_ADDRESS = "help@example.com"
    address, own = str(message_ids.reply_address(12)), message_ids.build_message_id(12, "msg_abc")
    assert message_ids.number_in_address(f"Help <{address.upper()}>") == 12
    digit = "0" if address[8] != "0" else "1"
    assert message_ids.number_in_address(f"{address[:8]}{digit}{address[9:]}") is None
    assert message_ids.number_in_address(address.replace("+12.", "+13.")) is None
    assert message_ids.number_in_message_id(own) == 12
    assert message_ids.number_in_message_id(own.replace("t-12-", "t-13-")) is None


def test_idle_tickets_are_closed_with_an_email_and_stay_closed_after_thirty_days(api: Api) -> None:
    ticket = create_ticket(api)
    answer_ticket(ticket)
    Ticket.objects.update(updated_at=clock.now() - timedelta(days=8))
    before = len(letters())
    assert tickets.close_idle_ticket() == 1
    assert tickets.close_idle_ticket() == 0
    assert len(letters()) == before + 1
    Ticket.objects.update(closed_at=clock.now() - timedelta(days=31))
    refusal = api.refuse("svc_support_reply", ticket_id=ticket.key, message="Hello?")
    assert "more than 30 days ago" in refusal["message"]


def test_ten_tickets_a_day_and_ten_thousand_characters_are_allowed(api: Api, stranger: Api) -> None:
    assert api.refuse("svc_support_open", subject="Long", message="x" * 10_001)["error"] == "invalid_input"
    assert api.refuse("svc_support_open", subject="Empty", message="  ")["error"] == "invalid_input"
    for number in range(10):
        create_ticket(api, subject=f"Question {number}")
    assert "10 new tickets a day" in api.refuse("svc_support_open", subject="More", message="And?")["message"]
    create_ticket(stranger)
    Ticket.objects.update(created_at=clock.now() - timedelta(days=1, minutes=1))
    create_ticket(api)


def test_own_images_can_be_attached_and_those_of_others_cannot(api: Api, stranger: Api) -> None:
    ticket = create_ticket(api)
    mine, theirs = (one.run("svc_upload_file", content=PNG)["upload_id"] for one in (api, stranger))
    refusal = api.refuse("svc_support_reply", ticket_id=ticket.key, message="See", upload_ids=[mine, theirs])
    assert refusal["issues"][0]["path"] == "upload_ids.1"
    assert ticket.messages.count() == 1
    api.run("svc_support_reply", ticket_id=ticket.key, message="See", upload_ids=[mine])
    [row] = api.run("svc_support_tickets", ticket_id=ticket.key)["tickets"]
    assert [one["upload_id"] for one in row["messages"][1]["attachments"]] == [mine]
    assert Upload.objects.get(pk=mine).use_count == 1


def test_threads_of_others_are_not_found_and_an_empty_reply_is_rejected(api: Api, stranger: Api) -> None:
    ticket = create_ticket(api)
    assert stranger.run("svc_support_tickets")["tickets"] == []
    for name, more in (("svc_support_tickets", {}), ("svc_support_reply", {"message": "Mine?"})):
        assert stranger.refuse(name, ticket_id=ticket.key, **more)["error"] == "not_found"
    assert api.refuse("svc_support_reply", ticket_id=ticket.key)["issues"][0]["path"] == "message"
    told = api.run("svc_support_reply", ticket_id=ticket.key, message="Tried", dry_run=True)
    assert told["dry_run"]
    assert ticket.messages.count() == 1
