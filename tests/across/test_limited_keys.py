"""A key or connection limited to some products has the same access as a member with these products."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.test import Client

from tests.across.samples import SAMPLES
from tests.across.test_roles import EVERYBODYS, OF_OWNERS, SEVERAL, may
from workspace.accounts import change_log, product_scope
from workspace.accounts.models import Account, ApiKey, Change
from workspace.accounts.permissions import BY_PRODUCT, EDITOR
from workspace.delivery.models import Endpoint
from workspace.interfaces import product_choices
from workspace.interfaces.tool_catalog import ACCOUNT_TOOLS, CATALOG
from workspace.testing.api import Api
from workspace.testing.oauth_client import Flow, call_tool, connect, register, sign_in_browser

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def limited(account: Account, *products: str) -> Api:
    key, secret = ApiKey.create(account, name="Till")
    key.set_products(list(products))
    return Api(account, secret)


@pytest.mark.parametrize("products", [["qr"], ["form", "waiver"], ["book", "quote", "card"], []])
def test_a_limited_key_may_call_what_a_member_with_these_products_may(
    furnished: tuple[Api, dict[str, str]], products: list[str]
) -> None:
    api, made = furnished
    key = limited(api.account, *products)
    held = dict.fromkeys(products, EDITOR)
    wrong = []
    for tool in CATALOG:
        allowed = may(tool, BY_PRODUCT, held)
        arguments: dict[str, Any] = SAMPLES[tool.name](made)
        if allowed and not tool.reads:
            continue
        status, body = key.post("call", {"name": tool.name, "arguments": arguments})
        refused = (status, body.get("error")) == (403, "forbidden")
        if refused is allowed:
            wrong.append((tool.name, status, body.get("message")))
    assert wrong == []


def test_a_refusal_names_the_limit_and_where_to_change_it(api: Api) -> None:
    key = limited(api.account, "qr")
    page = f"/app/keys/{ApiKey.objects.latest('created_at').pk}"
    for name in (*OF_OWNERS, "svc_brand_edit", "svc_support_tickets"):
        message = key.refuse(name)["message"]
        assert message.startswith(f"Till can’t use {name}. This tool covers the whole account,")
        assert "but access is limited to QR codes." in message
        assert message.endswith(page)
    message = key.refuse("svc_payments_list")["message"]
    assert "Payments also requires Booking pages and Proposals" in message and message.endswith(page)


def test_tools_over_all_products_show_a_limited_key_only_its_own(furnished: tuple[Api, dict[str, str]]) -> None:
    api, _ = furnished
    key = limited(api.account, "menu")
    assert {one["kind"] for one in api.run("svc_search", q="", limit=100)["items"]} > {"menu"}
    assert {one["kind"] for one in key.run("svc_search", q="", limit=100)["items"]} == {"menu"}
    assert {one["kind"] for one in key.run("svc_overview")["by_kind"]} == {"menu"}
    assert api.run("svc_leads")["total"] > 0 and key.run("svc_leads")["items"] == []
    assert {one["product"] for one in key.run("svc_activity", limit=100)["items"]} == {"menu"}
    last = Change.objects.filter(account=api.account, area="card").first()
    assert last is not None and key.refuse("svc_undo", change_id=last.pk)["error"] == "forbidden"


def test_a_limited_connection_cannot_read_sign_ins_or_the_whole_account(api: Api) -> None:
    owner = api.account.owner
    change_log.log_sign_in(owner, "Signed in on a new device")
    token = connect(Flow(sign_in_browser(owner), register()["client_id"]), api.account, "qr")
    api.run("svc_card_create", full_name="Jane Doe")
    status, told = call_tool(token, "svc_activity")
    assert status == 200 and told["data"]["items"] == []
    assert call_tool(token, "svc_account_export")[0] == 403


def test_a_choice_of_all_current_products_is_not_a_limit(api: Api) -> None:
    key = limited(api.account, *product_scope.available_products())
    assert key.run("svc_account_edit", name="Café Two")["name"] == "Café Two"


def test_a_webhook_of_the_whole_account_is_inaccessible_even_with_all_products_that_have_webhooks(api: Api) -> None:
    whole = api.run("svc_webhooks_edit", url="https://example.com/all")
    form = api.run("svc_form_create", title="Ask")["id"]
    key = limited(api.account, "form", "waiver")
    assert key.refuse("svc_webhooks_edit", url="https://example.com/mine")["error"] == "forbidden"
    id = whole["webhook_id"]
    assert key.refuse("svc_webhooks_edit", webhook_id=id, live=False)["error"] == "not_found"
    assert key.refuse("svc_webhooks_log", webhook_id=id)["error"] == "not_found"
    assert key.run("svc_webhooks_edit", thing=form, url="https://example.com/form")["thing_id"] == form
    assert [one["thing_id"] for one in key.run("svc_webhooks_log")["webhooks"]] == [form]
    assert Endpoint.objects.filter(account=api.account, item_id="").count() == 1


def test_the_pages_for_the_choice_explain_what_is_included(api: Api) -> None:
    browser = Client()
    browser.force_login(api.account.owner)
    limited(api.account, "qr")
    page = html.unescape(browser.get(f"/app/keys/{ApiKey.objects.latest('created_at').pk}").content.decode())
    consent = html.unescape(Flow(browser, register()["client_id"]).request_authorization().content.decode())
    for line in product_choices.describe_limited_access():
        assert line in page and line in consent
    # each tool outside of products is described on the page by its purpose
    named = {tool.name for tool in ACCOUNT_TOOLS if tool.name in EVERYBODYS}
    assert named == EVERYBODYS and set(SEVERAL) == {*product_scope.MULTI_PRODUCT_AREAS}
    assert "Payments (requires Booking pages and Proposals)" in page
    assert "Webhooks (requires Forms and Waivers)" in page
    of_many = [line for line in product_choices.describe_limited_access() if "(requires" in line and ", " in line]
    assert of_many and all(" and " in line for line in of_many)
