from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account, Membership, OAuthAccessToken
from workspace.testing.api import make_account
from workspace.testing.oauth_client import Flow, call_me, register, sign_in_browser

pytestmark = pytest.mark.django_db
PAGE = "/app/connections"


def test_a_connection_is_listed_with_its_access_and_last_use(flow: Flow, account: Account) -> None:
    token = flow.tokens(account, access="read")["access_token"]
    page = flow.browser.get(PAGE).content.decode()
    assert "Helper" in page and "Read-only" in page and "· Not used yet" in page
    call_me(token)
    assert "· Not used yet" not in flow.browser.get(PAGE).content.decode()


def test_a_renewed_connection_is_listed_once(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    flow.refresh(given["refresh_token"])
    assert flow.browser.get(PAGE).content.decode().count("<b>Helper</b>") == 1


def test_the_page_takes_as_many_queries_for_three_connections_as_for_one(flow: Flow, account: Account) -> None:
    flow.tokens(account)
    flow.browser.get(PAGE)  # the session then remembers the navigation bar
    with CaptureQueriesContext(connection) as queries:
        flow.browser.get(PAGE)
        for_one = len(queries)
    for _ in range(2):
        Flow(flow.browser, register()["client_id"]).tokens(account)
    with CaptureQueriesContext(connection) as queries:
        flow.browser.get(PAGE)
        assert len(queries) == for_one > 0


def test_disconnecting_ends_all_access_immediately(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    revoke_connection(flow, connection_id())
    assert call_me(given["access_token"]).status_code == 401
    assert flow.refresh(given["refresh_token"]).status_code == 400
    assert "No connected apps yet" in flow.browser.get(PAGE).content.decode()


def test_another_account_cannot_disconnect_it(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    stranger = sign_in_browser(make_account(name="Other").owner)
    stranger.post(f"{PAGE}/end", {"connection": connection_id()})
    assert call_me(given["access_token"]).status_code == 200
    assert "Helper" not in stranger.get(PAGE).content.decode()


def test_the_owner_sees_connections_of_members_and_a_member_only_their_own(flow: Flow, account: Account) -> None:
    shop = make_account(name="Shop")
    Membership.objects.create(account=shop, person=account.owner, role=Membership.EDITOR)
    flow.tokens(shop)
    Flow(sign_in_browser(shop.owner), register(client_name="Owners Helper")["client_id"]).tokens(shop)
    owners = sign_in_browser(shop.owner).get(PAGE).content.decode()
    assert ">Helper" in owners and "Owners Helper" in owners
    session = flow.browser.session
    session["workspace_account"] = shop.pk
    session.save()
    members = flow.browser.get(PAGE).content.decode()
    assert ">Helper" in members and "Owners Helper" not in members


@pytest.mark.parametrize("id", ["", "x", "1", "1-", "-1", "9" * 60 + "-1", "1-1-1", "²-1", "\x00"])
def test_an_unknown_connection_cannot_be_ended(flow: Flow, account: Account, id: str) -> None:
    flow.tokens(account)
    assert revoke_connection(flow, id).status_code == 302
    assert OAuthAccessToken.objects.count() == 1


def test_the_page_requires_sign_in(client) -> None:
    assert client.get(PAGE)["Location"].startswith("/sign-in/")


def connection_id() -> str:
    token = OAuthAccessToken.objects.get()
    return f"{token.application_id}-{token.user_id}"


def revoke_connection(flow: Flow, id: str):
    return flow.browser.post(f"{PAGE}/end", {"connection": id})
