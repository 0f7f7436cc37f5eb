"""Leads in the owner's address book on a real CardDAV server: added, changed, removed and retried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import vobject

from workspace.accounts.models import Account
from workspace.accounts.privacy import data_subjects, export
from workspace.delivery.address_books.worker import ContactWorker
from workspace.delivery.models import AddressBook, ContactCopy, Delivery
from workspace.lib import clock
from workspace.lib.data_subject import DataSubject
from workspace.products.card.models import Card, Lead
from workspace.testing.api import Api
from workspace.testing.dav_server import LOOPBACK, PASSWORD, USER, Radicale, radicale

pytestmark = pytest.mark.django_db(transaction=True)
Connect = Callable[..., AddressBook]


@pytest.fixture
def server(tmp_path: Path, settings: Any) -> Iterator[Radicale]:
    settings.CALENDAR_NETWORKS = LOOPBACK
    with radicale(tmp_path) as result:
        result.create_address_book("people", "People")
        yield result


@pytest.fixture
def connect(api: Api, server: Radicale) -> Connect:
    def create_address_book(**more: Any) -> AddressBook:
        api.run("svc_address_books_save", items=[{"url": server.url, "username": USER, "password": PASSWORD, **more}])
        return AddressBook.objects.get()

    return create_address_book


@pytest.fixture
def card(api: Api) -> Card:
    return Card.objects.get(pk=api.run("svc_card_create", full_name="Olive Baker", company="Olive & Co")["id"])


def leave(card: Card, once: str = "1", **fields: str) -> Lead:
    values = {"name": "Zoë Kovač", "email": "zoe@guest.example", "phone": "+43660123", "note": "", "consent": "Yes"}
    lead = card.save_lead(once, **{**values, **fields})
    assert lead is not None
    return lead


def run_worker(times: int = 3) -> None:
    """Run the worker this many times, a minute apart."""
    for _ in range(times):
        AddressBook.objects.exclude(next_at=None).update(next_at=clock.now())
        ContactCopy.objects.update(next_at=clock.now())
        ContactWorker().run_once()


def later() -> None:
    """Run the worker a minute later, with no changes in between."""
    AddressBook.objects.update(compared_at=clock.now() - timedelta(minutes=1))
    run_worker()


def compare() -> None:
    AddressBook.objects.update(compared_at=clock.now() - timedelta(hours=2))
    run_worker()


def there(server: Radicale, lead: Lead, book: str = "people") -> Any:
    """Return the lead's contact as another program reads it, or None."""
    status, body = server.send("GET", f"/{USER}/{book}/{lead.pk}.vcf")
    return vobject.readOne(body.decode()) if status == 200 else None


def edit(server: Radicale, lead: Lead, old: bytes, new: bytes) -> None:
    """Edit a contact without a new revision time, as some programs do."""
    path = f"/{USER}/people/{lead.pk}.vcf"
    body = server.send("GET", path)[1]
    assert old in body
    server.send("PUT", path, body.replace(old, new), "text/vcard")


def count_emails(words: str) -> int:
    """Count the emails with this text in the subject."""
    return sum(words in (delivery.payload or {}).get("subject", "") for delivery in Delivery.objects.all())


def state() -> tuple[str, int]:
    copy = ContactCopy.objects.get()
    return copy.state, copy.attempts


def test_existing_and_new_leads_are_added_once_and_removed_when_deleted(
    api: Api, account: Account, card: Card, server: Radicale, connect: Connect
) -> None:
    assert api.run("svc_me")["contacts_connected"] is False
    hostile = "Line\nEND:VCARD\r\nTEL:666;,\\ \x07" + "ü" * 900
    before = leave(card, note=hostile)
    nobody = leave(card, "2", email="", phone="")
    book = connect()
    assert (book.target_book, book.products, api.run("svc_me")["contacts_connected"]) == (
        f"{server.url}/{USER}/people/",
        ["card"],
        True,
    )
    run_worker()
    result = there(server, before)
    assert (result.fn.value, result.email.value, result.tel.value) == ("Zoë Kovač", "zoe@guest.example", "+43660123")
    assert (result.uid.value, result.n.value.family, result.categories.value) == (before.pk, "Kovač", ["Leads"])
    assert len(result.contents["tel"]) == 1 and "END:VCARD" in result.note.value and "ü" * 900 in result.note.value
    assert "Olive Baker" in result.note.value and "Agreed to: “Yes”" in result.note.value
    assert there(server, nobody) is None
    came = leave(card, "3", name="Ben", email="", phone="+43 1")
    again = leave(card, "4", name="ZOË Kovač", note="me again")
    later()
    assert there(server, again) is None
    assert there(server, came).fn.value == "Ben" and there(server, before) is not None
    server.methods()
    run_worker()
    assert "PUT" not in server.methods()
    [row] = api.run("svc_address_books_save")["items"]
    assert (row["there"], row["waiting"], row["state"], row["problem"]) == (2, 0, "good", "")
    # after a reconnection there are no duplicates: existing contacts are recognized as ours
    api.run("svc_address_books_save", remove=[book.pk])
    book = connect()
    run_worker()
    assert set(ContactCopy.objects.values_list("state", flat=True)) == {"there"}
    api.run("svc_card_delete", ids=[came.pk])
    compare()
    assert there(server, came) is None and there(server, before) is not None
    api.run("svc_undo")
    compare()
    assert there(server, came).fn.value == "Ben"
    api.run("svc_address_books_save", items=[{"id": book.pk, "take_out": False}])
    api.run("svc_card_delete", ids=[came.pk])
    compare()
    assert there(server, came) is not None


def test_contacts_that_the_owner_changed_or_deleted_are_not_overwritten(
    api: Api, card: Card, server: Radicale, connect: Connect
) -> None:
    lead = leave(card)
    connect()
    run_worker()
    Lead.objects.update(name="Zoë Kovač-Meier")
    compare()
    assert there(server, lead).fn.value == "Zoë Kovač-Meier" and state() == ("there", 0)
    edit(server, lead, b"Meier", b"Maier")
    Lead.objects.update(name="Zoë K.")
    compare()
    assert there(server, lead).fn.value == "Zoë Kovač-Maier" and state() == ("theirs", 0)
    assert api.run("svc_address_books_save")["items"][0]["changed_there"] == 1
    api.run("svc_card_delete", ids=[lead.pk])
    compare()
    assert there(server, lead) is not None
    other = leave(card, "2", email="ben@guest.example")
    later()
    server.send("DELETE", f"/{USER}/people/{other.pk}.vcf")
    Lead.objects.update(phone="+43 2")
    compare()
    assert there(server, other) is None


def test_an_erased_lead_is_removed_despite_changes_and_while_the_connection_is_paused(
    api: Api, account: Account, card: Card, server: Radicale, connect: Connect
) -> None:
    lead, other = leave(card), leave(card, "2", email="ben@guest.example", phone="+43 5")
    book = connect()
    run_worker()
    edit(server, lead, b"Kova", b"Nova")
    edit(server, lead, b"END:VCARD", b"PHOTO;ENCODING=b;TYPE=JPEG:" + b"A" * 300_000 + b"\r\nEND:VCARD")
    api.run("svc_card_delete", ids=[lead.pk])
    compare()
    assert ContactCopy.objects.get(subject=lead.pk).state == "theirs"
    api.run("svc_address_books_save", items=[{"id": book.pk, "live": False}])
    assert AddressBook.objects.get().next_at is None
    known = export.export_subject(data_subjects.find_subject_data(account, DataSubject.parse("zoe@guest.example", "")))
    assert {"what": "address book entry", "address_book": "People", "host": "127.0.0.1"} in known
    data_subjects.erase_subject(account, DataSubject.parse("zoe@guest.example", ""))
    run_worker()
    assert there(server, lead) is None and there(server, other) is not None
    assert [copy.subject for copy in ContactCopy.objects.all()] == [other.pk]
    assert AddressBook.objects.get().next_at is None


def test_a_lost_response_creates_no_duplicate_and_an_unreachable_server_is_retried(
    api: Api, card: Card, server: Radicale, connect: Connect
) -> None:
    connect()
    lead = leave(card)
    server.answer = lambda environ: ("503 Not now", {}, b"") if environ["REQUEST_METHOD"] == "PUT" else None
    run_worker(1)
    [row] = api.run("svc_address_books_save")["items"]
    assert row["state"] == "broken" and "The server has a problem (503)" in row["problem"] and row["failing_since"]
    assert state() == ("waiting", 0) and count_emails("We can’t reach your address book") == 0
    AddressBook.objects.update(failing_since=clock.now() - timedelta(hours=2))
    run_worker(2)
    assert AddressBook.objects.get().owner_warned and count_emails("We can’t reach your address book") == 1
    program = server._program

    def lose_response(environ: Any) -> Any:
        if environ["REQUEST_METHOD"] != "PUT":
            return None
        list(program(environ, lambda *_: None))
        return "502 Lost", {}, b""

    server.answer = lose_response
    run_worker(1)
    assert there(server, lead) is not None and state() == ("waiting", 0)
    server.answer = lambda environ: None
    run_worker(1)
    book = AddressBook.objects.get()
    assert state() == ("there", 0) and (book.health, book.owner_warned, book.failing_since) == ("good", False, None)
    assert count_emails("We can reach your address book") == 1


def test_a_wrong_password_stops_the_sync_and_a_failing_contact_does_not_block_others(
    api: Api, card: Card, server: Radicale, connect: Connect
) -> None:
    book = connect()
    bad, good = leave(card), leave(card, "2", email="ben@guest.example")
    server.answer = lambda environ: (
        ("400 What", {}, b"") if environ["REQUEST_METHOD"] == "PUT" and bad.pk in environ["PATH_INFO"] else None
    )
    run_worker(12)
    [row] = api.run("svc_address_books_save")["items"]
    assert there(server, good) is not None and (row["there"], row["not_taken"], row["state"]) == (1, 1, "good")
    assert "400" in row["why_not_taken"]
    third = leave(card, "3", email="cleo@guest.example")
    AddressBook.objects.update(compared_at=None)
    server.answer = lambda environ: ("401 Who", {}, b"")
    run_worker(1)
    [row] = api.run("svc_address_books_save")["items"]
    assert row["stopped"] and AddressBook.objects.get().owner_warned
    assert "username or password is wrong" in row["problem"]
    mails = count_emails("We can’t reach your address book")
    server.methods()
    run_worker()
    assert server.methods() == [] and mails == 1
    server.answer = lambda environ: None
    api.run("svc_address_books_save", items=[{"id": book.pk, "password": PASSWORD}])
    run_worker()
    assert there(server, third) is not None and there(server, bad) is None
    AddressBook.objects.update(reached_at=None)
    assert api.run("svc_address_books_save", sync=True)["syncing"] == [book.pk]
    run_worker()
    assert there(server, bad) is not None


def test_contacts_move_with_the_address_book_and_remain_after_disconnection_or_closure(
    api: Api, account: Account, card: Card, server: Radicale, connect: Connect, tmp_path: Path
) -> None:
    server.create_address_book("work", "Work")
    book = connect()
    assert book.target_book == "" and book.next_at is None
    lead = leave(card)
    api.run("svc_address_books_save", items=[{"id": book.pk, "into": "Work"}])
    run_worker()
    assert there(server, lead, "work") is not None and there(server, lead) is None
    api.run("svc_address_books_save", items=[{"id": book.pk, "into": "People"}])
    run_worker()
    assert there(server, lead, "work") is None and there(server, lead) is not None
    late = leave(card, "2", name="Ben")
    AddressBook.objects.update(compared_at=None)
    Account.objects.update(closes_at=clock.now() + timedelta(days=3))
    run_worker()
    assert there(server, late) is None
    Account.objects.update(closes_at=None)
    # the new server gets its own password, and the former one gets no further requests
    (tmp_path / "other").mkdir()
    server.methods()
    with radicale(tmp_path / "other") as other:
        other.create_address_book("people", "People")
        api.run("svc_address_books_save", items=[{"id": book.pk, "url": other.url, "password": PASSWORD}])
        run_worker()
        assert there(other, lead) is not None and there(other, late) is not None
    assert server.methods() == [] and there(server, lead) is not None
    removed = api.run("svc_address_books_save", remove=[book.pk])
    assert "isn't stored" in removed["change"]["cannot_be_undone"] and there(server, lead) is not None
    assert not ContactCopy.objects.exists()
