"""The activity page: filtering, export as a table, undo."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account, Change, Membership
from workspace.accounts.oauth_connections import connections_for
from workspace.lib import clock
from workspace.lib.tabular import workbook_reader
from workspace.testing.api import Api
from workspace.testing.oauth_client import Flow, register, sign_in_browser
from workspace.testing.sign_in import PASSWORD, make_person, sign_in, work_in

PAGE = "/app/activity"


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


@pytest.fixture
def flow(account: Account) -> Flow:
    return Flow(sign_in_browser(account.owner), register()["client_id"])


def get_page(client: Client, **asked: str) -> str:
    answer = client.get(PAGE, asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_changes_are_found_by_person_product_tool_channel_and_day(api: Api, owner: Client) -> None:
    api.run("svc_card_create", full_name="Ada Lovelace")
    api.run("svc_menu_create", restaurant_name="Lunch")
    owner.post("/app/account/brand", {"business_name": "Café"})
    Change.objects.filter(tool="svc_menu_create").update(
        created_at=clock.now() - timedelta(days=3), actor_name="Mona, for b@example.com"
    )
    page = get_page(owner)
    assert "Ada Lovelace" in page and "Lunch" in page and "Mona, for b@example.com" in page
    day = (clock.now() - timedelta(days=3)).date().isoformat()
    for asked in ({"product": "menu"}, {"actor": "Mona, for b@example.com"}, {"tool": "svc_menu_create"}, {"day": day}):
        page = get_page(owner, **asked)
        assert "Lunch" in page and "Ada Lovelace" not in page and "Clear filters" in page, asked
    assert "Lunch" not in get_page(owner, channel="dashboard") and "Ada Lovelace" in get_page(owner, channel="api")
    for nothing in ({"product": "cert"}, {"day": "2020-01-01"}, {"actor": "nobody"}):
        assert "No matching activity" in get_page(owner, **nothing), nothing
    # unknown filter values have no effect, and no query string breaks the page
    assert "Lunch" in get_page(owner, channel="moon", day="31.12.", offset="-1")
    assert "No entries on this page" in get_page(owner, offset="500")


def test_the_shown_changes_are_exported_as_a_table(api: Api, owner: Client, stranger: Api) -> None:
    api.run("svc_card_create", full_name="=1+1 Ada")
    api.run("svc_menu_create", restaurant_name="غداء، يوم طويل")
    stranger.run("svc_card_create", full_name="Far Away")
    rows = list(csv.DictReader(io.StringIO(owner.get("/files/activity?format=csv").content.decode("utf-8-sig"))))
    assert [row["product"] for row in rows] == ["menu", "card"]
    assert "غداء، يوم طويل" in rows[0]["what"] and rows[0]["through"] == "api" and rows[0]["tool"] == "svc_menu_create"
    book, _ = workbook_reader.read_text(owner.get("/files/activity?format=xlsx&product=card").content)
    assert (
        book.splitlines()[0].split()[:4] == ["when", "who", "through", "what"]
        and "=1+1 Ada" in book
        and "Far Away" not in book
    )
    assert "svc_menu_create" not in book
    data = api.run("svc_activity", format="xlsx", product="card", day=clock.today().isoformat())
    assert data["total"] == 1 and data["url"].endswith(
        f"/files/activity?days=30&day={clock.today().isoformat()}&format=xlsx&product=card"
    )
    assert owner.get("/files/activity").status_code == 404  # without a format there is no file


def test_a_change_is_undone_on_the_page(api: Api, owner: Client) -> None:
    card = api.run("svc_card_create", full_name="Ada")["id"]
    api.run("svc_card_edit", card_id=card, full_name="Ada Lovelace")
    [edited] = api.run("svc_activity", tool="svc_card_edit")["items"]
    page = get_page(owner, tool="svc_card_edit")
    assert f'value="{edited["id"]}"' in page and "Undo" in page and "Ada" in page
    owner.post("/app/undo", {"change_id": edited["id"], "back": f"{PAGE}?tool=svc_card_edit"})
    assert api.run("svc_card_get", card_id=card)["full_name"] == "Ada"
    assert "Undone" in get_page(owner, tool="svc_card_edit")
    # the undo is listed with the product
    assert api.run("svc_activity", product="card")["items"][0]["tool"] == "svc_undo"


def test_changes_of_keys_connections_and_sign_ins_are_listed_without_ip_addresses(flow: Flow, account: Account) -> None:
    owner, browser = account.owner, flow.browser
    owner.set_password(PASSWORD)
    owner.save()
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    device = {"REMOTE_ADDR": "203.0.113.7", "HTTP_USER_AGENT": "Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1"}
    browser = Client()
    browser.post("/sign-in/", {"login": owner.email, "password": PASSWORD}, **device)
    new = {"oldpassword": PASSWORD, "password1": f"{PASSWORD}s", "password2": f"{PASSWORD}s"}
    browser.post("/account/password", new, **device)
    flow.browser = browser
    flow.tokens(account)
    browser.post("/app/keys/new", {"name": "Website", "scope": "read", "days": ""}, **device)
    key = account.keys.get()
    browser.post(f"/app/keys/{key.pk}", {"asked_for_products": "1", "products": "qr"})
    browser.post(f"/app/keys/{key.pk}/revoke")
    [connection] = connections_for(account, seen_by=owner)
    browser.post(f"/app/connections/{connection.id}", {"asked_for_products": "1", "products": "menu"})
    browser.post("/app/connections/end", {"connection": connection.id})
    told = [change.summary for change in account.changes.order_by("created_at", "pk")]
    assert told == [
        "Signed in by a password, Safari on iPhone",
        "Changed their password",
        "Connected Helper (agent.example, full access)",
        "Created the API key “Website” (read-only)",
        "Limited the API key “Website” to QR codes",
        "Revoked the API key “Website”",
        "Limited Helper to QR menus",
        "Disconnected Helper",
    ]
    for asked, expected in (("keys", 3), ("connections", 3), ("sign-in", 2)):
        saved = browser.get(f"/files/activity?format=csv&tool={asked}").content.decode("utf-8-sig")
        assert len(list(csv.DictReader(io.StringIO(saved)))) == expected
        assert ("Website" in get_page(browser, tool=asked)) is (asked == "keys")
    assert "203.0.113.7" not in repr(list(Change.objects.values()))
    # other members see the changes of the account, but only owners see sign-ins of others; everyone sees their own
    editor = Membership.objects.create(account=account, person=make_person("ed@example.com"), role="editor")
    theirs = sign_in(editor.person)
    work_in(theirs, account)
    page = get_page(theirs)
    assert "Website" in page and "iPhone" not in page and "Sign-in" in page
    assert "ed@example.com" in get_page(browser, tool="sign-in")
    [own] = editor.person.memberships.exclude(pk=editor.pk).get().account.changes.filter(tool="sign-in")
    assert own.actor_name == "ed@example.com"


def test_the_page_takes_the_same_queries_for_one_and_three_rows(api: Api, owner: Client) -> None:
    counts = []
    for more in (1, 2):
        for _ in range(more):
            api.run("svc_card_create", full_name="Ada")
        get_page(owner)
        with CaptureQueriesContext(connection) as queries:
            get_page(owner)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_empty_page_and_200_changes(account: Account) -> None:
    browser = Client()
    browser.force_login(account.owner)
    assert "No activity yet" in get_page(browser)
    Change.objects.bulk_create(
        Change(
            account=account,
            actor_key="x",
            actor_name=f"person{n}@example.com",
            channel="api",
            tool="svc_card_create",
            area="card",
            summary=f"Number {n}",
            created_at=clock.now() - timedelta(minutes=n),
        )
        for n in range(200)
    )
    page = get_page(browser)
    assert "Number 49<" in page and "Number 50<" not in page and "of 200" in page
    assert "Number 199<" in get_page(browser, offset="150")
    stranger = sign_in(make_person("eve@example.com", "Eve"))
    assert "Number" not in get_page(stranger)
