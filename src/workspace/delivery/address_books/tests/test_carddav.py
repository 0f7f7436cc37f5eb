"""Responses of address book servers: how books are found, which versions they accept, and what is rejected."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import vobject

from workspace.delivery.address_books.carddav import find_books, parse_address, parse_revision
from workspace.delivery.dav.client import DavError, DavSession
from workspace.delivery.models import AddressBook
from workspace.lib.vcard import Contact, build_vcard
from workspace.storage import encryption, encryption_keys
from workspace.testing.api import Api
from workspace.testing.dav_server import PASSWORD, USER, radicale, serve_answer

HEAD = '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">'
BOOK = "<d:resourcetype><d:collection/><c:addressbook/></d:resourcetype>"


def thing(href: str, props: str) -> str:
    ok = "<d:status>HTTP/1.1 200 OK</d:status>"
    return f"<d:response><d:href>{href}</d:href><d:propstat><d:prop>{props}</d:prop>{ok}</d:propstat></d:response>"


def multistatus(*things: str) -> tuple[str, dict[str, str], bytes]:
    return "207 Multi-Status", {}, f"{HEAD}{''.join(things)}</d:multistatus>".encode()


def home(environ: dict[str, Any]) -> tuple[str, dict[str, str], bytes]:
    """Respond as a server that is found by the well-known URL, with its books elsewhere."""
    reading = "<d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>"
    newest = '<c:supported-address-data><c:address-data-type version="4.0"/></c:supported-address-data>'
    match environ["PATH_INFO"]:
        case "/.well-known/carddav":
            return "301 There", {"Location": "/dav/"}, b""
        case "/dav/":
            return multistatus(
                thing("/dav/", "<d:current-user-principal><d:href>/dav/me/</d:href></d:current-user-principal>")
            )
        case "/dav/me/":
            return multistatus(
                thing("/dav/me/", "<c:addressbook-home-set><d:href>/dav/books/</d:href></c:addressbook-home-set>")
            )
        case "/dav/books/":
            return multistatus(
                thing("/dav/books/", "<d:resourcetype><d:collection/></d:resourcetype>"),
                thing("/dav/books/a/", f"{BOOK}<d:displayname>All &lt;of&gt; us</d:displayname>{reading}"),
                thing("/dav/books/b/", f"{BOOK}{newest}"),
            )
    return "404 Nothing", {}, b""


@pytest.mark.any_database
def test_books_are_found_from_the_server_alone_with_their_versions(settings: Any) -> None:
    settings.CALENDAR_NETWORKS = ["127.0.0.0/8"]
    with serve_answer(home) as server:
        first, second = find_books(DavSession((USER, PASSWORD), credential_host="127.0.0.1"), f"{server.url}/")
    assert (first["name"], first["writes"], first["version"]) == ("All <of> us", False, "3.0")
    assert (second["name"], second["writes"], second["version"]) == ("b", True, "4.0")
    assert second["url"] == f"{server.url}/dav/books/b/"


@pytest.mark.any_database
@pytest.mark.parametrize(
    "answer",
    [
        ("207 Multi-Status", {}, b"<d:multistatus"),
        ("207 Multi-Status", {}, b'<!DOCTYPE x [<!ENTITY a "a">]><d:multistatus xmlns:d="DAV:"/>'),
        ("207 Multi-Status", {}, b"\xff\xfe\x00"),
        ("200 OK", {}, b"<html>"),
        ("207 Multi-Status", {}, b"x" * 2_000_000),
        multistatus(thing("http://169.254.169.254/", BOOK)),
        multistatus(thing("file:///etc/passwd", BOOK)),
        ("302 There", {"Location": "/"}, b""),
        ("503 Not now", {}, b""),
    ],
)
def test_a_hostile_server_causes_a_readable_error_or_finds_nothing(answer: Any, settings: Any) -> None:
    settings.CALENDAR_NETWORKS = ["127.0.0.0/8"]
    with serve_answer(lambda environ: answer) as server:
        try:
            found = find_books(DavSession((USER, PASSWORD), credential_host="127.0.0.1"), f"{server.url}/")
        except DavError as trouble:
            assert str(trouble)
        else:
            # other hosts that it names do not get the password
            with pytest.raises(DavError, match="redirects to"):
                DavSession((USER, PASSWORD), credential_host="127.0.0.1").request("GET", found[0]["url"])


@pytest.mark.any_database
def test_an_email_address_leads_to_its_providers_server() -> None:
    assert parse_address("me@icloud.com") == "https://contacts.icloud.com/"
    assert parse_address("me@bakery.example") == "https://bakery.example/"
    assert parse_address("cloud.example.com/remote.php/dav") == "https://cloud.example.com/remote.php/dav"
    for text in ("me@gmail.com", "https://www.googleapis.com/carddav/v1", "me@hotmail.com"):
        with pytest.raises(ValueError, match="connect with a password"):
            parse_address(text)


@pytest.mark.any_database
def test_a_card_of_either_version_reads_back_as_written() -> None:
    at = datetime(2027, 3, 1, 14, 5, tzinfo=UTC)
    hostile = "; , \\ \r\nEND:VCARD " + "名" * 5000
    contact = Contact(
        "Zoë, “Z”; Kovač",
        family_name="Kovač",
        phones=[("+43 1", "")],
        emails=[("z@guest.example", "")],
        note=hostile,
        uid="lead_1",
        revised_at=at,
        categories=["Leads, new", "B"],
    )
    for version in ("3.0", "4.0"):
        raw = build_vcard(contact, version)
        assert max(map(len, raw.split(b"\r\n"))) <= 75 and parse_revision(raw) == "20270301140500"
        read = vobject.readOne(raw.decode())
        assert (read.version.value, read.fn.value, read.uid.value) == (version, contact.full_name, "lead_1")
        assert read.categories.value == ["Leads, new", "B"] and read.note.value.count("名") == 5000
        assert (read.tel.value, read.email.value, read.n.value.family) == ("+43 1", "z@guest.example", "Kovač")
        assert len(list(vobject.readComponents(raw.decode()))) == 1
    assert b"UID;VALUE=text:lead_1" in raw and b"INTERNET" not in raw


@pytest.mark.django_db(transaction=True)
def test_errors_name_the_argument_and_other_accounts_have_no_access(
    api: Api, stranger: Api, settings: Any, tmp_path: Path
) -> None:
    settings.CALENDAR_NETWORKS = ["127.0.0.0/8"]
    with radicale(tmp_path) as server:
        server.create_address_book("people", "People")
        settings.DATA, old, new = tmp_path, encryption_keys.generate_key(), encryption_keys.generate_key()
        settings.ENCRYPTION_KEYS = old
        _told_where(api, stranger, server.url)
    settings.ENCRYPTION_KEYS = f"{new}, {old}"
    assert encryption.reencrypt_all() == 1
    settings.ENCRYPTION_KEYS = new
    assert AddressBook.objects.get().credentials() == (USER, PASSWORD)


def _told_where(api: Api, stranger: Api, url: str) -> None:
    def refused(**item: Any) -> tuple[str, str]:
        issue = api.refuse("svc_address_books_save", items=[item])["issues"][0]
        return issue["path"], issue["message"]

    given = {"url": url, "username": USER, "password": PASSWORD}
    assert refused(**{**given, "password": "wrong"})[0] == "items.0.password"
    assert refused(**{**given, "url": "http://10.0.0.1/"})[0] == "items.0.url"
    assert refused(**given, into="Elsewhere") == (
        "items.0.into",
        "This connection has no address book with this name. Use one of these: People.",
    )
    assert refused(**given, products=["card", "qr"])[0] == "items.0.products.1"
    assert refused(url=url)[0] == "items.0.username"
    assert not AddressBook.objects.exists()
    api.run("svc_address_books_save", items=[given], dry_run=True)
    assert not AddressBook.objects.exists()
    made = api.run("svc_address_books_save", items=[given])
    id = made["items"][0]["contacts_id"]
    assert PASSWORD not in str(made) + str(api.run("svc_activity")) + str(AddressBook.objects.values().get())
    for call in ({"items": [{"id": id, "name": "X"}]}, {"remove": [id]}):
        assert "No address book has this ID" in stranger.refuse("svc_address_books_save", **call)["message"]
    assert stranger.run("svc_address_books_save")["items"] == []
    assert refused(id=id, url="https://other.example/")[0] == "items.0.password"
    api.run("svc_address_books_save", items=[{"id": id, "group": "", "name": "Mine"}])
    api.run("svc_undo")
    assert AddressBook.objects.get().group == "Leads"
