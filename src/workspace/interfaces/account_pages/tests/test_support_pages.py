"""The owner's page of support and the operator's inbox."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.accounts.models import Account, Person
from workspace.delivery.models import Delivery
from workspace.support.models import Ticket
from workspace.testing import Api, make_account

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


def test_an_owner_asks_on_the_page_the_operator_answers_and_a_file_goes_along(
    account: Account, operator: Client
) -> None:
    owner = browser(account.owner)
    asked = owner.post("/app/support", {"subject": "Codes", "product": "qr", "message": "Where does it <b>lead</b>?"})
    ticket = Ticket.objects.get()
    assert (asked.status_code, asked["Location"]) == (303, f"/app/support/{ticket.key}")
    assert "Codes" in owner.get("/app/support").content.decode()

    listed = operator.get("/app/inbox").content.decode()
    assert "1 question waits" in listed
    assert "Corner Café" in listed
    page = operator.get(f"/app/inbox/{ticket.key}").content.decode()
    assert "&lt;b&gt;lead" in page
    assert account.owner.email in page
    assert operator.post(f"/app/inbox/{ticket.key}", {"text": "To the menu."}).status_code == 303
    assert Delivery.objects.filter(account=account).count() == 2  # received, and the answer
    assert "Nobody waits" in operator.get("/app/inbox").content.decode()

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


def test_what_is_wrong_with_a_question_is_told_at_its_field(account: Account) -> None:
    page = browser(account.owner).post("/app/support", {"subject": "", "product": "", "message": ""})
    assert page.status_code == 422
    assert not Ticket.objects.exists()


def test_the_inbox_and_others_threads_are_nowhere(api: Api, account: Account, stranger: Api) -> None:
    ticket = Ticket.objects.get(key=api.run("svc_support_open", subject="Mine", message="Alone")["id"])
    other, owner = browser(stranger.account.owner), browser(account.owner)
    assert other.get(f"/app/support/{ticket.key}").status_code == 404
    assert other.post(f"/app/support/{ticket.key}", {"message": "Mine?"}).status_code == 404
    for path in ("/app/inbox", f"/app/inbox/{ticket.key}", f"/app/inbox/{ticket.key}/files/upl_1"):
        assert owner.get(path).status_code == 404, path
    assert ticket.messages.count() == 1
