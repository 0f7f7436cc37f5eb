"""The products that a person selects for a client, on the consent page and on the connection's page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account, ConnectionChoice, Membership, OAuthAccessToken
from workspace.products import list_manifests
from workspace.testing.api import make_account, make_api
from workspace.testing.oauth_client import Flow, call_me, call_tool, connect, register, sign_in_browser

pytestmark = pytest.mark.django_db
ALL = [product.key for product in list_manifests()]


def ticked(page: Any) -> list[str]:
    return re.findall(r'name="products" value="(\w+)" checked', page.content.decode())


def page_of() -> str:
    token = OAuthAccessToken.objects.latest("pk")
    return f"/app/connections/{token.application_id}-{token.user_id}"


def test_products_in_use_are_selected_or_all_if_none_is(flow: Flow, account: Account) -> None:
    assert ticked(flow.request_authorization()) == ALL
    api = make_api(account)
    api.run("svc_qr_create", name="Door", target_url="https://example.com")
    api.run("svc_card_create", full_name="Jane Doe")
    assert ticked(flow.request_authorization()) == ["qr", "card"]


def test_a_tool_of_another_product_is_refused_with_the_way_to_add_it(flow: Flow, account: Account, settings) -> None:
    token = connect(flow, account, "qr")
    assert call_tool(token, "svc_qr_list")[0] == 200
    assert call_me(token).status_code == 200, "what is the account's is everybody's"
    status, body = call_tool(token, "svc_card_list")
    assert (status, body["error"]) == (403, "forbidden")
    assert body["message"] == (
        "Helper can’t use svc_card_list. Access to Business cards was not granted. "
        f"The owner can add it at {settings.BASE_URL}{page_of()}"
    )
    told = call_tool(token, "svc_me")[1]["text"]
    assert "available tools: QR codes; the owner can add more at" in told


def test_the_selection_stays_until_the_owner_changes_it(flow: Flow, account: Account) -> None:
    token = connect(flow, account, "qr")
    make_api(account).run("svc_card_create", full_name="Jane Doe")
    assert call_tool(token, "svc_card_list")[0] == 403
    page = flow.browser.get(page_of())
    assert ticked(page) == ["qr"]
    flow.browser.post(page_of(), {"asked_for_products": "1", "products": ["qr", "card"]})
    assert call_tool(token, "svc_card_list")[0] == 200
    assert "QR codes and Business cards" in flow.browser.get("/app/connections").content.decode()
    flow.browser.post(page_of(), {"asked_for_products": "1"})
    assert call_tool(token, "svc_qr_list")[0] == 403 and call_me(token).status_code == 200


def test_selecting_all_includes_future_products_and_reconnecting_starts_with_the_last_selection(
    flow: Flow, account: Account
) -> None:
    connect(flow, account, *ALL)
    assert ConnectionChoice.objects.get().products is None
    make_api(account).run("svc_card_create", full_name="Jane Doe")
    assert ticked(flow.request_authorization()) == ALL
    connect(flow, account, "menu", "nothing")
    assert ConnectionChoice.objects.get().products == ["menu"]
    assert ticked(flow.request_authorization()) == ["menu"]


def test_a_renewed_token_has_the_products_of_the_connection(flow: Flow, account: Account) -> None:
    flow.tokens(account)
    given = flow.tokens(account)
    flow.browser.post(page_of(), {"asked_for_products": "1", "products": ["menu"]})
    renewed = flow.refresh(given["refresh_token"]).json()["access_token"]
    assert call_tool(renewed, "svc_menu_list")[0] == 200 and call_tool(renewed, "svc_qr_list")[0] == 403


def test_looking_up_a_token_takes_one_query(flow: Flow, account: Account) -> None:
    token = connect(flow, account, "qr")
    resource = OAuthAccessToken.objects.get().resource[0]
    with CaptureQueriesContext(connection) as queries:
        found = OAuthAccessToken.find_by_token(token, resource=resource)
    assert found is not None and found.chosen == ["qr"] and len(queries) == 1


def test_each_person_and_account_has_a_separate_selection(flow: Flow, account: Account) -> None:
    second = make_account(name="Second Shop")
    Membership.objects.create(account=second, person=account.owner, role=Membership.EDITOR)
    first = connect(flow, account, "qr")
    other = connect(flow, second, "menu")
    assert call_tool(first, "svc_qr_list")[0] == 200 and call_tool(other, "svc_qr_list")[0] == 403


def test_another_account_neither_sees_nor_changes_it(flow: Flow, account: Account) -> None:
    token = connect(flow, account, "qr")
    stranger = sign_in_browser(make_account(name="Other").owner)
    assert stranger.get(page_of()).status_code == 404
    assert stranger.post(page_of(), {"asked_for_products": "1", "products": ALL}).status_code == 404
    assert call_tool(token, "svc_card_list")[0] == 403


@pytest.mark.parametrize("id", ["x", "1-", "9" * 60, "1-1-1"])
def test_an_unknown_connection_has_no_page(flow: Flow, account: Account, id: str) -> None:
    assert flow.browser.get(f"/app/connections/{id}").status_code == 404


def test_disconnecting_deletes_the_selection(flow: Flow, account: Account) -> None:
    connect(flow, account, "qr")
    flow.browser.post("/app/connections/end", {"connection": page_of().rpartition("/")[2]})
    assert not ConnectionChoice.objects.exists()


def test_an_undo_of_another_products_change_is_refused(flow: Flow, account: Account) -> None:
    made = make_api(account).run("svc_card_create", full_name="Jane Doe")
    token = connect(flow, account, "qr")
    assert call_tool(token, "svc_undo", change_id=made["change"]["id"])[0] == 403
    flow.browser.post(page_of(), {"asked_for_products": "1", "products": ["card"]})
    assert call_tool(token, "svc_undo", change_id=made["change"]["id"])[0] == 200


def test_a_page_shown_again_keeps_its_selection(flow: Flow, account: Account) -> None:
    form = {"decision": "perhaps", "asked_for_products": "1", "products": ["menu"]}
    page = flow.browser.post("/oauth/authorize", form, query_params=flow.query())
    assert page.status_code == 422 and ticked(page) == ["menu"]


def test_the_selection_of_another_client_is_separate(flow: Flow, account: Account) -> None:
    connect(flow, account, "qr")
    other = Flow(flow.browser, register(client_name="Other")["client_id"]).tokens(account)["access_token"]
    assert call_tool(other, "svc_card_list")[0] == 200
