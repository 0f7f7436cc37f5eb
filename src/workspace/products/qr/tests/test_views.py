"""The dashboard pages, which only the owner can open."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api, make_account

pytestmark = pytest.mark.django_db

ABOVE = [
    "",
    "/new",
    "/bulk",
    "/bulk/sample.csv",
    "/sheet",
    "?q=menu",
    "?folder=Tables",
    "?offset=-1&q=%00",
    "?offset=99",
]
OF_A_CODE = ["", "?made", "/results", "/results?days=7", "/results?days=400", "/results?days=x", "/look"]
OF_A_CODE += [
    "/look?preset=ocean",
    "/look?preset=x",
    "/look/ocean.svg",
    "/settings",
    "/test",
    "/share",
    "/share?kind=tent&design=x",
]
OF_A_CODE += ["/delete", "/check"]
POSTS = ["", "/state", "/look", "/look/preview", "/look/verdict", "/look/logo", "/settings"]
POSTS += ["/password/remove", "/delete"]


@pytest.mark.parametrize("path", ABOVE)
def test_pages_open_with_and_without_codes(path: str, browser: Client, api: Api) -> None:
    assert browser.get(f"/app/qr{path}").status_code == 200
    api.run("svc_qr_create", name="Menu", target_url="example.com", folder="Tables")
    assert browser.get(f"/app/qr{path}").status_code == 200


ODD = ["?q=%00", "?folder=%00", "?q=%E2%80%AE", "?q=%ff%fe", "?q=" + "x" * 900, "?q=%F0%9F%A6%84&offset=9" + "9" * 30]
ODD += ["/sheet?folder=%00", "/sheet?id=%00", "/sheet.pdf?id=%00&whole=%00", "/new?folder=%00"]


@pytest.mark.parametrize("path", ODD)
def test_unusual_query_strings_cause_no_errors(path: str, browser: Client, code: dict) -> None:
    assert browser.get(f"/app/qr{path}").status_code in (200, 303)
    assert browser.get(f"/app/qr/{code['id']}/share?call_to_action=%00&size=%00&kind=%00").status_code == 200


@pytest.mark.parametrize("path", OF_A_CODE)
def test_a_codes_pages_open_only_for_its_owner(path: str, browser: Client, code: dict, stranger: Api) -> None:
    scan(code)
    assert browser.get(f"/app/qr/{code['id']}{path}").status_code == 200
    browser.force_login(stranger.account.owner)
    assert browser.get(f"/app/qr/{code['id']}{path}").status_code == 404
    browser.logout()
    response = browser.get(f"/app/qr/{code['id']}{path}")
    assert response.status_code == 302 and response["Location"].startswith("/sign-in")


@pytest.mark.parametrize("path", POSTS)
def test_another_account_cannot_post_to_a_code(path: str, api: Api, code: dict, stranger: Api) -> None:
    browser = Client()
    browser.force_login(stranger.account.owner)
    assert browser.post(f"/app/qr/{code['id']}{path}", {"target_url": "evil.example"}).status_code == 404
    assert api.run("svc_qr_get", id=code["id"]) == code


@pytest.mark.parametrize("path", ["/state", "/look/preview", "/password/remove"])
def test_a_page_that_changes_something_refuses_get(path: str, browser: Client, code: dict) -> None:
    assert browser.get(f"/app/qr/{code['id']}{path}").status_code == 405


@pytest.mark.parametrize("path", POSTS)
def test_every_form_requires_its_csrf_token(path: str, code: dict, account) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(account.owner)
    assert browser.post(f"/app/qr/{code['id']}{path}").status_code == 403


@pytest.mark.parametrize("id", ["qr_nothing", "x" * 65, "%00", "..", "qr_%F0%9F%A6%84"])
def test_an_unknown_id_returns_404(id: str, browser: Client) -> None:
    assert browser.get(f"/app/qr/{id}").status_code == 404


def test_the_list_takes_the_same_queries_at_any_length(browser: Client, api: Api) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as context:
            assert browser.get("/app/qr").status_code == 200
        return len(context)

    api.run("svc_qr_create", name="One", target_url="example.com", folder="A")
    queries()
    value = queries()
    for name in ("Two", "Three"):
        api.run("svc_qr_create", name=name, target_url="example.com", folder=name)
    assert queries() == value
    sheet = [len_of(browser, "/app/qr/sheet") for _ in range(2)][1]
    api.run("svc_qr_create", name="Four", target_url="example.com")
    assert len_of(browser, "/app/qr/sheet") == sheet


def len_of(browser: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as context:
        browser.get(path)
    return len(context)


def test_the_search_finds_matching_codes(browser: Client, code: dict) -> None:
    part = browser.get("/app/qr?q=menu", headers={"hx-request": "true"}).content.decode()
    assert 'id="things"' in part and code["public_url"] in part


def test_names_are_shown_as_text(browser: Client, api: Api) -> None:
    name = "<script>alert(1)</script>"
    code = api.run("svc_qr_create", name=name, target_url="https://example.com/?q=<script>", folder=name[:60])
    for path in (
        "",
        f"/{code['id']}",
        f"/{code['id']}/settings",
        f"/{code['id']}/look",
        "/sheet",
        f"/{code['id']}/delete",
    ):
        assert name not in browser.get(f"/app/qr{path}").content.decode()


def test_the_use_and_the_limits_of_the_plan_are_shown(db: None) -> None:
    browser, account = Client(), make_account(qr="free")
    browser.force_login(account.owner)
    from workspace.testing.api import make_api

    api = make_api(account)
    code = api.run("svc_qr_create", name="Menu", target_url="example.com")
    assert "1 of 10 used on your plan" in browser.get("/app/qr").content.decode()
    page = browser.get(f"/app/qr/{code['id']}/results?days=90").content.decode()
    assert "Your plan shows the last 30 days" in page and "days=90" not in page
