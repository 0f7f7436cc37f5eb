"""The owner's support pages and the administrator's inbox."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.accounts.models import Account, Person
from workspace.delivery import mail
from workspace.delivery.models import Delivery
from workspace.support import inbound_mail
from workspace.support.models import InboundMail, Ticket
from workspace.testing.api import Api, make_account

pytestmark = pytest.mark.django_db


def browser(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def operator(db: None) -> Client:
    person = make_account(name="The House").owner
    person.is_operator = True
    person.save()
    return browser(person)


def test_an_owner_asks_the_administrator_answers_and_a_file_is_attached(account: Account, operator: Client) -> None:
    owner = browser(account.owner)
    asked = owner.post("/app/support", {"subject": "Codes", "product": "qr", "message": "Where does it <b>lead</b>?"})
    ticket = Ticket.objects.get()
    assert (asked.status_code, asked["Location"]) == (303, f"/app/support/{ticket.key}")
    assert "Codes" in owner.get("/app/support").content.decode()

    listed = operator.get("/app/inbox").content.decode()
    assert "1 ticket is waiting" in listed
    assert "Corner Café" in listed
    page = operator.get(f"/app/inbox/{ticket.key}").content.decode()
    assert "&lt;b&gt;lead" in page
    assert account.owner.email in page
    assert "Articles to attach" in page and 'value="change-where-a-code-leads"' in page
    answered = {"text": "To the menu.", "article": ["change-where-a-code-leads", "no-such-one"]}
    assert operator.post(f"/app/inbox/{ticket.key}", answered).status_code == 303
    said = ticket.messages.get(author="team").text
    assert said.startswith("To the menu.") and said.endswith("/help/change-where-a-code-leads")
    assert Delivery.objects.filter(account=account).count() == 2  # the confirmation and the answer
    assert "No tickets are waiting" in operator.get("/app/inbox").content.decode()

    note = SimpleUploadedFile("note.txt", b"A few words")
    path = f"/app/support/{ticket.key}"
    assert "To the menu." in owner.get(path).content.decode()
    assert owner.post(path, {"message": "See the note", "files": note}).status_code == 303
    page = owner.get(path).content.decode()
    assert "note.txt" in page
    upload = ticket.messages.last().attachments.get().upload_id
    for reader, where in ((owner, "support"), (operator, "inbox")):
        saved = reader.get(f"/app/{where}/{ticket.key}/files/{upload}")
        assert (saved.content, saved["Content-Disposition"]) == (b"A few words", 'attachment; filename="note.txt"')
    program = SimpleUploadedFile("run.exe", b"MZ....")
    refused = owner.post(path, {"message": "And this", "files": program})
    assert refused.status_code == 422
    assert ticket.messages.count() == 3

    assert owner.post(path, {"close": "yes"}).status_code == 303
    ticket.refresh_from_db()
    assert ticket.status == "closed"
    assert "Codes" in operator.get("/app/inbox?show=closed").content.decode()
    assert operator.post(f"/app/inbox/{ticket.key}", {"close": "yes"}).status_code == 303


def test_errors_of_a_ticket_are_shown_at_their_fields(account: Account) -> None:
    page = browser(account.owner).post("/app/support", {"subject": "", "product": "", "message": ""})
    assert page.status_code == 422
    assert not Ticket.objects.exists()


def test_the_inbox_and_tickets_of_others_are_inaccessible(api: Api, account: Account, stranger: Api) -> None:
    ticket = Ticket.objects.get(key=api.run("svc_support_open", subject="Mine", message="Alone")["id"])
    other, owner = browser(stranger.account.owner), browser(account.owner)
    assert other.get(f"/app/support/{ticket.key}").status_code == 404
    assert other.post(f"/app/support/{ticket.key}", {"message": "Mine?"}).status_code == 404
    for path in ("/app/inbox", f"/app/inbox/{ticket.key}", f"/app/inbox/{ticket.key}/files/upl_1"):
        assert owner.get(path).status_code == 404, path
    assert ticket.messages.count() == 1


def test_the_administrator_uses_the_inbox_attaches_files_and_accepts_withheld_emails(
    account: Account, operator: Client
) -> None:
    owner = browser(account.owner)
    assert "/app/inbox" not in owner.get("/app/tools").content.decode()
    assert 'href="/app/inbox"' in operator.get("/app/tools").content.decode()
    owner.post("/app/support", {"subject": "Codes", "product": "qr", "message": "Where?"})
    ticket = Ticket.objects.get()
    note = SimpleUploadedFile("note.txt", b"A few words")
    assert operator.post(f"/app/inbox/{ticket.key}", {"text": "See the note", "files": note}).status_code == 303
    assert ticket.messages.get(text="See the note").attachments.get().upload.name == "note.txt"
    sent = mail.parse_message(Delivery.objects.order_by("id").last())
    assert [part.get_filename() for part in sent.iter_attachments()] == ["note.txt"]
    program = SimpleUploadedFile("run.exe", b"MZ....")
    refused = operator.post(f"/app/inbox/{ticket.key}", {"text": "Run this", "files": program})
    assert refused.status_code == 422 and ticket.messages.count() == 2
    assert "Run this" in refused.content.decode()

    forged = (
        b"From: Anna <anna@stranger.example>\nAuthentication-Results: x; dmarc=fail\nSubject: <b>Hi\n\nHello\n\n> Old"
    )
    assert inbound_mail.receive_mail(forged).status == "held"
    listed = operator.get("/app/inbox?show=held").content.decode()
    assert "&lt;b&gt;Hi" in listed
    held = InboundMail.objects.get()
    saved = operator.get(f"/app/inbox/mails/{held.pk}")
    assert (saved.content, saved["Content-Type"]) == (forged, "message/rfc822")
    made = operator.post(f"/app/inbox/mails/{held.pk}/accept")
    stranger = Ticket.objects.get(account=None)
    assert made["Location"] == f"/app/inbox/{stranger.key}"
    page = operator.get(made["Location"]).content.decode()
    assert "Show full email" in page and f"/app/inbox/mails/{held.pk}" in page
    large = SimpleUploadedFile("large.txt", b"a" * 3_000_001)
    assert operator.post(made["Location"], {"text": "Here", "files": large}).status_code == 422
    note = SimpleUploadedFile("note.txt", b"A few words")
    assert operator.post(made["Location"], {"text": "Here", "files": note}).status_code == 303
    assert operator.post(f"/app/inbox/mails/{held.pk}/accept")["Location"] == "/app/inbox?show=held"
    for path in (f"/app/inbox/mails/{held.pk}", "/app/inbox?show=held"):
        assert owner.get(path).status_code == 404, path
    assert owner.post(f"/app/inbox/mails/{held.pk}/accept").status_code == 404
