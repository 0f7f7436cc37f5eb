"""Another instance of our own as a linked app.

Its owner connects it in a browser, and its tools appear in our MCP server, whatever happens between the two.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connections

from workspace.accounts.models import Account, ApiKey, Change, Membership, Person
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.interfaces.mcp.tests.test_tool_errors import call_tool, text
from workspace.interfaces.mcp.tests.test_tool_list import tools_of
from workspace.lib import clock
from workspace.linked_apps import tokens
from workspace.linked_apps.config import Application
from workspace.linked_apps.models import AppHealth, LinkedApp
from workspace.testing.api import Api, make_account
from workspace.testing.oauth_client import sign_in_browser
from workspace.testing.service import Service
from workspace.testing.visitor import Visitor

pytestmark = pytest.mark.any_database
EMAIL = "anna@shop.example"
PAGE = "/app/linked-apps/shop"


@pytest.fixture(scope="module")
def other() -> Iterator[Service]:
    running = Service(WORKSPACE_PAYMENTS="on")
    running.migrate()
    running.key = running.account(EMAIL)["api_key"]  # type: ignore[attr-defined]
    running.start()
    yield running
    running.stop()
    shutil.rmtree(running.folder, ignore_errors=True)


@pytest.fixture
def family(server: Serving, other: Service, settings) -> Application:
    app = Application("shop", "Shop", other.url, f"{other.url}/mcp")
    settings.FAMILY = (app,)
    return app


def allow(other: Service, asked: str, access: str = "write") -> str:
    """Sign in at the other instance and allow the access. Return the URL that it redirects the browser to."""
    visitor = Visitor(other)
    link = next(word for word in other.operate("sign-in", EMAIL).split() if word.startswith("http"))
    visitor.post(urlsplit(link).path)
    at = asked.removeprefix(other.url)
    assert at.startswith("/oauth/authorize?")
    return visitor.post(
        at, access=access, decision="allow", products="qr", account=other.api(other.key, "svc_me")["id"]
    )  # type: ignore[attr-defined]


def authorization_url(browser: Any) -> str:
    answer = browser.post(f"{PAGE}/connect")
    assert answer.status_code == 302, answer.content[:500]
    return str(answer["Location"])


def connect(browser: Any, other: Service, **more: str) -> None:
    back = allow(other, authorization_url(browser), **more)
    answer = browser.get(f"{urlsplit(back).path}?{urlsplit(back).query}")
    assert answer["Location"] == PAGE, answer.content[:500]


def names(server: Serving, key: str) -> list[str]:
    return [tool.name for tool in tools_of(server.mcp, key, "auto") if tool.name.startswith("shop_")]


def key_of(account: Account, **more: Any) -> Api:
    """Return an API key created by the account's owner, which can use the apps that the owner connected."""
    return Api(account, ApiKey.create(account, name="Tests", by=account.owner, **more)[1])


def apps(api: Any) -> dict[str, Any]:
    return dict(api.run("svc_my_apps")["apps"][1])


def test_an_owner_connects_an_app_and_its_tools_work_here_with_their_own_access(
    server: Serving, shop: Account, other: Service, family: Application
) -> None:
    api, browser = key_of(shop), sign_in_browser(shop.owner)
    assert (apps(api)["state"], apps(api)["used"]) == ("not_connected", False)
    assert names(server, api.key) == []
    told = text(call_tool(server, api.key, "shop_svc_me", {}))
    assert told == f"tool_error: Shop is not connected. Connect it at {server.url}{PAGE}"

    asked = authorization_url(browser)
    wanted = {name: values[0] for name, values in parse_qs(urlsplit(asked).query).items()}
    assert (wanted["resource"], wanted["code_challenge_method"]) == (family.mcp_url, "S256")
    assert wanted["redirect_uri"] == f"{server.url}{PAGE}/callback"
    back = allow(other, asked)
    path = f"{urlsplit(back).path}?{urlsplit(back).query}"
    # the redirect is valid only for the browser that asked, once, and unchanged
    elsewhere = sign_in_browser(shop.owner).get(path, follow=True).content.decode()
    assert elsewhere.count("The connection wasn’t started in this browser") == 1
    browser.get(path.replace("state=", "state=x"))
    assert not LinkedApp.objects.exists()
    browser.get(path)
    assert not LinkedApp.objects.exists(), "an answer ends the question, also a wrong one"
    connect(browser, other)
    page = browser.get(PAGE).content.decode()
    assert "shop_svc_qr_create" in page and "Disconnect" in page and "Corner Café" in page
    assert Change.objects.filter(account=shop, summary="Connected Shop").count() == 1

    grant = LinkedApp.objects.get()
    assert (
        grant.access_token not in grant.access_token_encrypted
        and grant.refresh_token not in grant.refresh_token_encrypted
    )
    assert grant.access_token not in page
    listed = {tool.name: tool for tool in tools_of(server.mcp, api.key, "legacy")}
    create = listed["shop_svc_qr_create"]
    assert create.title.endswith("(Shop)") and create.description.startswith("Shop: ")
    assert create.annotations.read_only_hint is False and "target_url" in create.input_schema["properties"]
    assert {tool for tool in listed if not tool.startswith("shop_")} >= {"svc_qr_create", "svc_my_apps"}
    made = call_tool(server, api.key, "shop_svc_qr_create", {"name": "There", "target_url": "example.com"})
    assert made.is_error is False
    assert other.api(other.key, "svc_qr_list")["items"][0]["name"] == "There"  # type: ignore[attr-defined]
    assert api.run("svc_qr_list")["total"] == 0
    wrong = call_tool(server, api.key, "shop_svc_qr_create", {"name": "There"})
    assert text(wrong).startswith("Shop reported: invalid_input")
    row = apps(api)
    assert (row["state"], row["used"], row["plan"], row["tools"]) == ("connected", True, "free", len(grant.tools))
    assert row["last_used_at"] is not None

    # a caller has the same restrictions there as here, and cannot reach another account's app
    reader = key_of(shop, read_only=True)
    assert "shop_svc_qr_list" in names(server, reader.key) and "shop_svc_qr_create" not in names(server, reader.key)
    assert text(call_tool(server, reader.key, "shop_svc_qr_create", {})).startswith(
        "forbidden: This key or connection is read-only"
    )
    assert call_tool(server, reader.key, "shop_svc_me", {}).structured_content["name"] == "Corner Café"
    member = Person.objects.create_user("bert@example.com", name="Bert")
    Membership.objects.create(account=shop, person=member, role="viewer")
    assert b"Not connected" in sign_in_browser(member).get("/app/linked-apps").content
    stranger = key_of(make_account(name="Other"))
    assert names(server, stranger.key) == []
    assert "is not connected" in text(call_tool(server, stranger.key, "shop_svc_me", {}))

    # concurrent calls renew our access once, and none of them fails
    spent = grant.access_token
    with ThreadPoolExecutor(5) as many:
        new = set(
            many.map(lambda _: _closing(lambda: tokens.get_access_token(grant.pk, rejected_token=spent)), range(5))
        )
    assert len(new) == 1 and spent not in new
    LinkedApp.objects.update(expires_at=clock.now() - timedelta(hours=1))
    assert call_tool(server, api.key, "shop_svc_me", {}).is_error is False
    assert LinkedApp.objects.get().access_token not in new

    # down: everything else works without delay, and the failure is reported
    other.stop()
    LinkedApp.objects.update(tools_at=clock.now() - timedelta(hours=1))
    assert "shop_svc_qr_create" in names(server, api.key), "the last good copy stands"
    assert text(call_tool(server, api.key, "shop_svc_me", {})).startswith(
        "unavailable: Shop has been unavailable since "
    )
    assert apps(api)["state"] == "down" and apps(api)["problem"] == "Could not connect to 127.0.0.1"
    assert call_tool(server, api.key, "svc_me", {}).is_error is False
    assert "has been unavailable since" in browser.get(PAGE).content.decode()
    other.start()
    AppHealth.objects.update(next_at=clock.now())
    assert call_tool(server, api.key, "shop_svc_me", {}).is_error is False
    assert apps(api)["state"] == "connected"

    # disconnected immediately here, and by the outbox there
    held = LinkedApp.objects.get().access_token
    assert other.post("/api/v1/call", {"name": "svc_me"}, held)[0] == 200
    assert "Disconnect Shop?" in browser.get(f"{PAGE}/disconnect").content.decode()
    browser.post(f"{PAGE}/disconnect")
    assert names(server, api.key) == [] and not LinkedApp.objects.exists()
    OutboxWorker().drain_once()
    assert Delivery.objects.get(kind="family.revoke").state == DeliveryState.SENT
    assert other.post("/api/v1/call", {"name": "svc_me"}, held)[0] == 401


def _closing(work: Any) -> Any:
    try:
        return work()
    finally:
        connections.close_all()


def test_access_that_ended_at_the_app_is_reported_and_connected_again(
    server: Serving, shop: Account, other: Service, family: Application
) -> None:
    api, browser = key_of(shop), sign_in_browser(shop.owner)
    connect(browser, other, access="read")
    assert "shop_svc_qr_list" in names(server, api.key) and "shop_svc_qr_create" not in names(server, api.key)
    tokens.revoke_token(family, LinkedApp.objects.get().revocation_url, *_client_and_token())
    told = text(call_tool(server, api.key, "shop_svc_me", {}))
    assert told == f"tool_error: Shop revoked our access. Reconnect it at {server.url}{PAGE}"
    assert apps(api)["state"] == "ended"
    assert names(server, api.key) == []
    connect(browser, other)
    assert call_tool(server, api.key, "shop_svc_me", {}).is_error is False


def _client_and_token() -> tuple[Any, str]:
    from workspace.linked_apps.http_json import OAuthClient

    grant = LinkedApp.objects.get()
    return OAuthClient(grant.client_id), grant.refresh_token
