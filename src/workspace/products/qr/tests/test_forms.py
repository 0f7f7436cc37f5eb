"""Forms on the dashboard pages, in a browser without scripts."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from django.test import Client

from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api, make_account

pytestmark = pytest.mark.django_db


def form_token(browser: Client, path: str) -> str:
    """Return the token of the form on a page, which lets a repeated submission count only once."""
    [token] = re.findall(r'name="_once" value="([^"]+)"', browser.get(path).content.decode())
    return token


class _Inputs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        if tag == "input" and fields.get("name"):
            self.found[str(fields["name"])] = fields.get("value") or ""


def form_of(browser: Client, path: str, name: str = "") -> dict[str, str]:
    """Return the fields that the unchanged page would send, from the form with this class if one is given."""
    page = browser.get(path).content.decode()
    if name:
        page = page[page.index(f'<form class="{name}"') :].partition("</form>")[0]
    reader = _Inputs()
    reader.feed(page)
    return reader.found


def test_a_code_is_created_and_shown_with_next_steps(browser: Client, api: Api) -> None:
    response = browser.post("/app/qr/new", {"name": "Menu", "target_url": "example.com/menu", "folder": "Tables"})
    [code] = api.run("svc_qr_list")["items"]
    assert (response.status_code, response["Location"]) == (303, f"/app/qr/{code['id']}?made")
    assert (code["name"], code["target_url"], code["folder"]) == ("Menu", "https://example.com/menu", "Tables")
    assert "Ready to share" in browser.get(response["Location"]).content.decode()


def test_submitting_the_form_twice_creates_one_code(browser: Client, api: Api) -> None:
    form = {"name": "Menu", "target_url": "example.com", "_once": form_token(browser, "/app/qr/new")}
    first, second = (browser.post("/app/qr/new", form) for _ in range(2))
    assert first["Location"] == second["Location"] and api.run("svc_qr_list")["total"] == 1


def test_an_error_is_shown_at_its_field_and_the_input_is_preserved(browser: Client, api: Api) -> None:
    response = browser.post("/app/qr/new", {"name": "Menu", "target_url": "javascript:x"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Only http and https URLs are supported" in page and 'value="Menu"' in page
    assert api.run("svc_qr_list")["total"] == 0


def test_a_reached_plan_limit_is_shown_in_the_form(db: None) -> None:
    from workspace.testing.api import make_api

    account = make_account(qr="free")
    make_api(account).run("svc_qr_save", items=[{"name": "A", "target_url": "a.example"}] * 10)
    browser = Client()
    browser.force_login(account.owner)
    response = browser.post("/app/qr/new", {"name": "B", "target_url": "b.example"})
    assert response.status_code == 422 and "larger plan" in response.content.decode()


def test_the_destination_can_be_changed_and_changed_back(browser: Client, api: Api, code: dict) -> None:
    url = f"/app/qr/{code['id']}"
    assert browser.post(url, {"target_url": "example.com/winter"})["Location"] == url
    assert scan(code)["Location"] == "https://example.com/winter"
    assert "Restore example.com/menu" in browser.get(url).content.decode()
    assert browser.post(url, form_of(browser, url, "qr-undo"))["Location"] == url
    assert scan(code)["Location"] == "https://example.com/menu"
    browser.post("/app/undo", {**form_of(browser, url, "note-undo"), "back": url})
    assert scan(code)["Location"] == "https://example.com/winter", "what was pointed back can be taken back itself"


def test_an_invalid_target_is_refused_beside_the_field(browser: Client, code: dict) -> None:
    response = browser.post(f"/app/qr/{code['id']}", {"target_url": "ftp://example.com"})
    assert response.status_code == 422 and 'value="ftp://example.com"' in response.content.decode()


def test_settings_save_only_what_changed(browser: Client, api: Api, code: dict) -> None:
    url = f"/app/qr/{code['id']}/settings"
    browser.post(url, {**form_of(browser, url), "slug": "summer", "expires_at": "2999-07-01T18:00", "password": "x"})
    result = api.run("svc_qr_get", id=code["id"])
    assert (result["slug"], result["expires_at"], result["has_password"]) == ("summer", "2999-07-01T18:00:00Z", True)
    assert "Settings saved. Printed QR codes keep working." in browser.get(url).content.decode()
    untouched = form_of(browser, url)
    assert untouched["password"] == ""
    assert browser.post(url, untouched).status_code == 303
    assert api.run("svc_qr_get", id=code["id"]) | {"updated_at": ""} == result | {"updated_at": ""}
    page = browser.get(url).content.decode()
    assert "Settings saved." in page and "Settings saved. Printed QR codes keep working." not in page
    assert code["slug"] in page  # the earlier slug still works


def test_cleared_settings_are_cleared(browser: Client, api: Api, code: dict) -> None:
    url = f"/app/qr/{code['id']}/settings"
    api.run("svc_qr_edit", id=code["id"], expires_at="2999-07-01T18:00", password="secret", fallback_url="a.example")
    browser.post(url, {**form_of(browser, url), "fallback_url": "", "expires_at": ""})
    result = api.run("svc_qr_get", id=code["id"])
    assert (result["fallback_url"], result["expires_at"], result["has_password"]) == ("", None, True)
    page = f"/app/qr/{code['id']}"
    browser.post(page, {**form_of(browser, page), "folder": ""})
    assert api.run("svc_qr_get", id=code["id"])["folder"] == ""
    browser.post(f"/app/qr/{code['id']}/password/remove")
    assert api.run("svc_qr_get", id=code["id"])["has_password"] is False


def test_a_taken_slug_is_refused_beside_the_field(browser: Client, api: Api, code: dict) -> None:
    other = api.run("svc_qr_create", name="Other", target_url="example.org")
    url = f"/app/qr/{code['id']}/settings"
    response = browser.post(url, {**form_of(browser, url), "slug": other["slug"]})
    assert response.status_code == 422 and "already in use" in response.content.decode()


def test_deletion_asks_for_confirmation(browser: Client, api: Api, code: dict) -> None:
    url = f"/app/qr/{code['id']}/delete"
    assert "Delete “Menu”?" in browser.get(url).content.decode()
    assert api.run("svc_qr_list")["total"] == 1
    assert browser.post(url)["Location"] == "/app/qr"
    assert api.run("svc_qr_list")["total"] == 0


def test_scans_can_be_downloaded_as_a_file(browser: Client, code: dict) -> None:
    scan(code)
    page = browser.get(f"/app/qr/{code['id']}/results?days=7").content.decode()
    link, workbook = re.findall(r'href="(/files/[^"]+)" download', page.partition('id="share-sheet"')[0])
    assert browser.get(unescape(workbook)).content.startswith(b"PK")
    response = browser.get(unescape(link))
    assert response["Content-Disposition"] == f'attachment; filename="scans-{code["slug"]}.csv"'
    lines = response.content.decode("utf-8-sig").splitlines()
    assert lines[0] == "time,device,city,country,referrer,bot" and ",phone,Unknown,Unknown,,no" in lines[1]


def test_the_statistics_are_explained_in_words_too(browser: Client, code: dict) -> None:
    scan(code)
    page = browser.get(f"/app/qr/{code['id']}/results").content.decode()
    assert "Each counted once per day" in page and "not counted" in page and "Show as table" in page
    assert "Locations are not available" in page and "WORKSPACE_" not in page
