from __future__ import annotations

from pathlib import Path
from typing import Any

from django.test import Client

from workspace.delivery.address_books.worker import ContactWorker
from workspace.delivery.models import AddressBook
from workspace.testing.dav_server import LOOPBACK, PASSWORD, USER, radicale

PAGE = "/app/account/contacts"


def main(browser: Client, path: str = "") -> str:
    return browser.get(PAGE + path).content.decode().split("<main")[1]


def test_an_address_book_is_connected_configured_and_disconnected(
    browser: Client, settings: Any, tmp_path: Path
) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK
    assert "Connect an address book" in main(browser)
    assert 'value="https://contacts.icloud.com/"' in main(browser, "?with=icloud")
    google = main(browser, "?with=google")
    assert "only allows registered apps" in google and "<form" not in google
    with radicale(tmp_path) as server:
        server.create_address_book("a", "Work")
        server.create_address_book("b", "Home <3")
        given = {"url": server.url, "username": USER, "password": "wrong-horse"}
        wrong = browser.post(PAGE, given)
        assert wrong.status_code == 422
        assert "username or password is wrong" in wrong.content.decode() and "wrong-horse" not in wrong.content.decode()
        answer = browser.post(PAGE, {**given, "password": PASSWORD})
        one = AddressBook.objects.get()
        assert answer.status_code == 302 and answer["Location"] == f"{PAGE}/{one.pk}"
        page = main(browser, f"/{one.pk}")
        assert "Choose an address book" in page and "Home &lt;3" in page and PASSWORD not in page
        [work] = [book["url"] for book in one.available_books if book["name"] == "Work"]
        chosen = {"name": "Mine", "into": work, "live": "on", "group": "Guests", "products": ["card", "form"]}
        saved = browser.post(f"{PAGE}/{one.pk}", {**chosen, "_has": ["products", "take_out", "live"]})
        assert saved.status_code in (302, 303), saved.content.decode()
        one.refresh_from_db()
        assert (one.name, one.target_book, one.group, one.products, one.removes_deleted, one.live) == (
            "Mine",
            work,
            "Guests",
            ["card", "form"],
            False,
            True,
        )
        assert "hx-get" in main(browser, f"/{one.pk}")
        ContactWorker().run_once()
        page = main(browser, f"/{one.pk}")
        assert "Syncing" in page and "0 contacts synced" in page
        assert "hx-get" not in browser.get(f"{PAGE}/{one.pk}/state").content.decode()
        lead = browser.post(f"{PAGE}/{one.pk}", {"_lead": "1", "url": "", "username": USER, "password": "wrong-horse"})
        assert lead.status_code == 422 and "username or password is wrong" in lead.content.decode()
        assert browser.post(f"{PAGE}/{one.pk}/sync").status_code in (302, 303)
    AddressBook.objects.update(problem="The password is wrong", health="broken", next_at=None)
    assert "Stopped" in main(browser) and "Enter a new password below" in main(browser, f"/{one.pk}")
    assert "Existing contacts stay in the address book" in main(browser, f"/{one.pk}/remove")
    assert browser.get(f"{PAGE}/abk_nothing").status_code == 404
    browser.post(f"{PAGE}/{one.pk}/remove")
    assert not AddressBook.objects.exists() and "Connect an address book" in main(browser)
