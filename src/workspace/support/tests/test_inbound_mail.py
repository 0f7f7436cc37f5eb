"""Emails find their thread by signed identifiers, and join it if their sender is a participant."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from workspace.accounts.models import Upload
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.storage.database.transactions import write_transaction
from workspace.support import inbound_mail, message_ids, tickets
from workspace.support.models import InboundMail, Message, Ticket
from workspace.support.models.ticket import TEAM
from workspace.support.tests.test_tickets import PNG, answer_ticket, create_ticket
from workspace.testing.api import Api
from workspace.testing.incoming_mail import SERVER, SUPPORT, compose_mail, deliver, listening
from workspace.testing.rate_limits import set_limit

pytestmark = pytest.mark.django_db
OWNER = "Marta <{}>"


@pytest.fixture(autouse=True)
def _support(settings) -> None:
    settings.SUPPORT_ADDRESS, settings.OPERATOR_EMAIL = SUPPORT, "team@operator.example"
    settings.SUPPORT_VERIFIED_BY = SERVER


def receive_mail(mail: EmailMessage, **more: object) -> inbound_mail.MailOutcome:
    return inbound_mail.receive_mail(mail.as_bytes(), **more)  # type: ignore[arg-type]


@pytest.mark.django_db(transaction=True)
def test_emails_over_smtp_join_their_thread_or_open_a_ticket(api: Api) -> None:
    owner = api.account.owner.email
    with listening() as port:
        ticket = create_ticket(api)
        first = answer_ticket(ticket, "Which code is it?")
        joins = compose_mail(
            owner, "The one on the door.\n\n> Which code is it?", to=str(message_ids.reply_address(ticket.pk))
        )
        by_id = compose_mail(owner, "And the bar.\n.\n..dots", In_Reply_To=str(first.message_id))
        third = compose_mail(
            owner, "Third", In_Reply_To="<x@other.example>", References=f"<a@b.c> {first.message_id} <d@e.f>"
        )
        new = compose_mail("nobody@stranger.example", "Do you have a demo?", subject="A demo")
        said = deliver(port, joins, by_id, third, new, joins)
        assert [one.partition("Accepted: ")[2] for one in said] == ["joined", "joined", "joined", "new", "joined"]
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as peer:
            peer.ehlo()
            assert peer.has_extn("size")
            assert peer.mail(owner, ["SIZE=99999999"])[0] == 552
            assert peer.docmd("DATA")[0] == 503
            peer.mail(owner)
            assert peer.rcpt("somebody@else.example")[0] == 550
            assert peer.docmd("VRFY", "x")[0] == 252  # the answer does not reveal whether the address exists
    assert list(ticket.messages.values_list("text", flat=True)) == [
        "Where does it lead?",
        "Which code is it?",
        "The one on the door.",
        "And the bar.\n.\n..dots",
        "Third",
    ]
    ticket.refresh_from_db()
    assert ticket.status == "open"
    assert ticket.messages.get(text="The one on the door.").quoted.endswith("> Which code is it?")
    stranger = Ticket.objects.get(account=None)
    assert (stranger.email, stranger.subject, stranger.is_flagged) == ("nobody@stranger.example", "A demo", False)
    with listening("lmtp") as port, smtplib.LMTP("127.0.0.1", port, timeout=60) as peer:
        again = compose_mail(owner, "By LMTP", to=str(message_ids.reply_address(ticket.pk)))
        peer.ehlo()
        peer.mail(owner)
        assert [peer.rcpt(one)[0] for one in (str(again["To"]), SUPPORT)] == [250, 250]
        # LMTP has one reply for each recipient.
        assert [peer.data(again.as_bytes(policy=SMTP))[0], peer.getreply()[0]] == [250, 250]
    assert ticket.messages.filter(text="By LMTP").count() == 1


def test_the_reply_address_identifies_the_thread_but_not_the_sender(api: Api, stranger: Api) -> None:
    ticket = create_ticket(api)
    address = str(message_ids.reply_address(ticket.pk))
    other = stranger.account.owner.email
    assert receive_mail(compose_mail(other, "Let me in", to=address)).status == "new"
    theirs = Ticket.objects.get(account=stranger.account)
    assert (theirs.previous_ticket_id, theirs.is_flagged) == (ticket.pk, True)
    off = address.replace("@", "0@")
    assert receive_mail(compose_mail(api.account.owner.email, "Mine", to=off)).status == "new"
    assert (
        receive_mail(compose_mail(api.account.owner.email, "By number", subject=f"Re: Codes [#{ticket.pk}]")).status
        == "new"
    )
    assert ticket.messages.count() == 1
    assert Ticket.objects.filter(account=api.account).count() == 3
    within = f"Quoting.\n\n> To go on: {address}"
    assert receive_mail(compose_mail(api.account.owner.email, within)).status == "joined"


def test_automatic_emails_are_stored_but_not_answered(api: Api) -> None:
    ticket = create_ticket(api)
    address, owner = str(message_ids.reply_address(ticket.pk)), api.account.owner.email
    before = Delivery.objects.count()
    for head in ({"Auto_Submitted": "auto-replied"}, {"X_Autoreply": "yes"}, {"Precedence": "bulk"}):
        assert receive_mail(compose_mail(owner, "I am away", to=address, **head)).status == "ignored", head
    assert receive_mail(compose_mail(owner, "Returned", to=address), sender="").status == "ignored"
    report = compose_mail("mailer-daemon@example.org", "Not delivered")
    report.replace_header("Content-Type", 'multipart/report; boundary="x"')
    assert receive_mail(report).status == "ignored"
    assert receive_mail(compose_mail("help@example.com", "To myself")).status == "ignored"
    assert (Delivery.objects.count(), ticket.messages.count()) == (before, 1)
    assert receive_mail(compose_mail(owner, "I am here", to=address, Auto_Submitted="no")).status == "joined"
    assert InboundMail.objects.filter(outcome="ignored").count() == 6


def test_a_repeated_email_is_stored_once_and_a_loop_ends(api: Api) -> None:
    ticket = create_ticket(api)
    address, owner = str(message_ids.reply_address(ticket.pk)), api.account.owner.email
    twice = compose_mail(owner, "Once", to=address)
    assert [receive_mail(twice).is_duplicate, receive_mail(twice).is_duplicate] == [False, True]
    nameless = compose_mail(owner, "Without an id", to=address)
    del nameless["Message-ID"]
    assert [receive_mail(nameless).is_duplicate, receive_mail(nameless).is_duplicate] == [False, True]
    assert ticket.messages.count() == 3
    for number in range(4):
        found = receive_mail(compose_mail(owner, f"Again {number}", to=address))
    assert (found.status, found.reason) == ("held", "More than 5 messages in 10 minutes")


def test_a_forged_email_is_held_until_the_administrator_accepts_it(api: Api) -> None:
    forged = compose_mail(
        "boss@bank.example", "Pay", Authentication_Results="mx.example; dmarc=fail header.from=bank.example"
    )
    assert receive_mail(forged).status == "held"
    assert receive_mail(compose_mail("", "Nobody")).status == "held"
    assert not Ticket.objects.exists()
    mail = InboundMail.objects.get(sender="boss@bank.example")
    ticket = inbound_mail.accept_mail(mail)
    assert (ticket.email, ticket.messages.get().text) == ("boss@bank.example", "Pay")
    with pytest.raises(OperationNotAllowedError):
        inbound_mail.accept_mail(mail)
    with pytest.raises(OperationNotAllowedError, match="no sender"):
        inbound_mail.accept_mail(InboundMail.objects.get(sender=""))


def test_attachments_are_stored_only_for_emails_that_join_a_thread(api: Api) -> None:
    import base64

    ticket = create_ticket(api)
    address, owner = str(message_ids.reply_address(ticket.pk)), api.account.owner.email
    mail = compose_mail(owner, "See the picture", to=address)
    mail.add_attachment(base64.b64decode(PNG), maintype="application", subtype="octet-stream", filename="code.png")
    mail.add_attachment(b"%PDF-1.4 a menu", maintype="application", subtype="pdf", filename="Menü.pdf")
    mail.add_attachment(b"MZ....", maintype="application", subtype="pdf", filename="invoice.pdf")
    assert receive_mail(mail).status == "joined"
    message = ticket.messages.order_by("created_at").last()
    assert message is not None
    kept = {one.upload.media_type: one.upload.name for one in message.attachments.select_related("upload")}
    assert kept == {"image/png": "code.png", "application/pdf": "Menü.pdf"}
    assert message.text.startswith("See the picture\n\n(invoice.pdf was not attached. Programs")
    before = Upload.objects.count()
    mail.replace_header("To", SUPPORT)
    mail.replace_header("Message-ID", "<another@sender.example>")
    assert receive_mail(mail).status == "new"
    assert Upload.objects.count() == before


def test_anonymous_tickets_are_limited_and_an_old_closed_thread_gets_a_new_ticket(api: Api, monkeypatch) -> None:
    set_limit(monkeypatch, "ticket-unknown-sender", 2)
    for number in range(3):
        found = receive_mail(compose_mail(f"s{number}@stranger.example", "Hello"))
    assert found.status == "held"
    ticket = create_ticket(api)
    with write_transaction():
        tickets.close_ticket(tickets.lock_ticket(ticket.pk), by=TEAM)
    address, owner = str(message_ids.reply_address(ticket.pk)), api.account.owner.email
    assert receive_mail(compose_mail(owner, "One more thing", to=address)).status == "joined"
    Ticket.objects.filter(pk=ticket.pk).update(status="closed", closed_at=clock.now() - timedelta(days=31))
    assert receive_mail(compose_mail(owner, "And much later", to=address)).status == "new"
    later = Ticket.objects.get(previous_ticket=ticket)
    assert (later.account, later.is_flagged) == (api.account, False)
    set_limit(monkeypatch, "support-email", 3)
    with pytest.raises(inbound_mail.InboxFullError):
        receive_mail(compose_mail(owner, "Too many", to=address))
    InboundMail.objects.update(received_at=clock.now() - timedelta(days=31))
    assert InboundMail.delete_expired() == 5


@pytest.mark.parametrize(
    "raw",
    [
        b"From: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n" * 50,
        b"From: =?utf-8?b?!!!?= <a@b.example>\r\nSubject: =?x?q?=00\r\n\r\nHi \x00 there",
        b"From: a@b.example\r\nContent-Type: text/plain; charset=idna\r\n\r\nH\xefi",
        b"From: a@b.example\r\nContent-Type: text/html; charset=\xff\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\nPGI+SGk=*",
        b"From: a@b.example, c@d.example\n\nTwo writers",
        b"From: ((((((((((((((\r\n\r\n",
        b"\r\n\r\nno head",
        b"Message-ID: <a\r\n b@c>\r\nFrom: a@b.example\r\n\r\nHi",
        b"x" * 100_000,
    ],
)
def test_a_malformed_email_causes_no_error(raw: bytes) -> None:
    assert inbound_mail.receive_mail(raw).status in ("new", "held")
    assert "\0" not in "".join(Message.objects.values_list("text", flat=True))
