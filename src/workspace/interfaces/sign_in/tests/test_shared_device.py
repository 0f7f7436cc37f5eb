"""Data of an account on a device is deleted when the person leaves the account."""

from __future__ import annotations

import re

from django.test import Client

from workspace.accounts.models import Account, Person


def owner_mark(browser: Client) -> str:
    found = re.search(r'dashboard/device\.js" data-owner="([0-9a-f]*)"', browser.get("/app/tools").content.decode())
    assert found
    return found[1]


def test_signing_out_deletes_everything(browser: Client) -> None:
    assert "Clear-Site-Data" not in browser.get("/sign-out/")
    assert browser.post("/sign-out/")["Clear-Site-Data"] == '"cache", "storage"'


def test_a_change_of_account_deletes_stored_pages(person: Person, browser: Client) -> None:
    before = owner_mark(browser)
    other = Account.open(person, name="Second shop")
    assert "Clear-Site-Data" not in browser.post("/app/switch", {"account": "acc_unknown"})
    assert browser.post("/app/switch", {"account": other.pk})["Clear-Site-Data"] == '"cache"'
    assert len(before) == len(owner_mark(browser)) == 32
    assert owner_mark(browser) != before


def test_the_sign_in_page_names_no_owner() -> None:
    assert 'dashboard/device.js" data-owner="" defer' in Client().get("/sign-in/").content.decode()
