"""A linked app that misbehaves: its callers get a short error, and nothing else is affected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from http.client import HTTPConnection
from urllib.parse import urlsplit

import httpx2
import pytest

from workspace.accounts.models import Account, ApiKey, Change
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.interfaces.mcp.tests.small_mcp_server import TOKEN, Plain
from workspace.interfaces.mcp.tests.test_tool_errors import call_tool, text
from workspace.interfaces.mcp.tests.test_tool_list import tools_of
from workspace.lib import clock
from workspace.linked_apps import mcp_client, tool_cache
from workspace.linked_apps.config import Application
from workspace.linked_apps.models import ACCESS_TOKEN_PURPOSE, AppHealth, LinkedApp
from workspace.storage import encryption
from workspace.testing.api import Api
from workspace.testing.oauth_client import sign_in_browser

pytestmark = pytest.mark.any_database


@pytest.fixture(params=[False, True], ids=["one answer", "events"])
def plain_app(request: pytest.FixtureRequest) -> Iterator[Plain]:
    made = Plain()
    running = made.start(streams=request.param)
    yield made
    made.stalls = False
    running.should_exit = True


@pytest.fixture
def key(server: Serving, shop: Account, plain_app: Plain, settings) -> str:
    settings.FAMILY = (Application("plain", "Plain", plain_app.url, f"{plain_app.url}/"),)
    told = {"issuer": plain_app.url, "resource": plain_app.url, "token_url": plain_app.url, "client_id": "us"}
    sealed = encryption.encrypt_secret(TOKEN, shop.pk, ACCESS_TOKEN_PURPOSE)
    made = LinkedApp.objects.create(
        account=shop, person=shop.owner, application="plain", access_token_encrypted=sealed, **told
    )
    assert tool_cache.refresh_tools(made.pk)
    return ApiKey.create(shop, name="Tests", by=shop.owner)[1]


def make_health_check_due() -> None:
    AppHealth.objects.update(next_at=clock.now())


def test_any_answer_of_a_linked_app_is_handled(
    server: Serving, shop: Account, key: str, plain_app: Plain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call_plain(how: str, name: str = "plain_say"):
        return call_tool(server, key, name, {"how": how})

    listed = {tool.name: tool for tool in tools_of(server.mcp, key, "auto") if not tool.name.startswith("svc_")}
    assert len(listed) == 3 and "plain_odd" not in listed
    assert listed["plain_say"].description == "Plain: Says how it is"
    assert listed["plain_do"].annotations.destructive_hint is True
    [long] = [name for name in listed if name.startswith("plain_nnn")]
    assert len(long) == 64 and call_plain("it is", long).content[0].text.startswith("n" * 70 + " it is")
    assert "refers to another document" in LinkedApp.objects.get().rejected_tools[0]

    answer = call_plain("well")
    assert (answer.content[0].text, answer.structured_content) == ("say well[2J", {"how": "well"})
    assert text(call_plain("badly")) == "Plain reported: say badly[2J"
    assert text(call_plain("at length")) == "tool_error: Plain: The response is larger than 1,048,576 bytes."
    assert plain_app.asked == {f"Bearer {TOKEN}"}, "nobody else's credential goes there"

    with monkeypatch.context() as short:  # the answers below may take longer
        short.setattr(mcp_client, "CALL_SECONDS", 0.5)
        for _ in range(3):
            assert text(call_plain("slowly")).startswith("unavailable: Plain did not respond: no response within 0.5 s")
    assert text(call_plain("well")).startswith("unavailable: Plain has been unavailable since")
    make_health_check_due()
    assert call_plain("well").is_error is False and not AppHealth.objects.exclude(down_since=None).exists()

    plain_app.status = 500
    assert text(call_plain("well")).startswith("unavailable: Plain did not respond: it failed with status 500")
    assert text(call_plain("well")).startswith("unavailable: Plain has been unavailable since")
    [row] = [one for one in Api(shop, key).run("svc_my_apps")["apps"] if one["name"] == "plain"]
    assert (row["state"], row["problem"]) == ("down", "it failed with status 500")
    make_health_check_due()
    plain_app.status = 0
    assert call_plain("well").is_error is False

    # the other server's list hangs: our own tools are sent without waiting for it
    plain_app.stalls = True
    LinkedApp.objects.update(tools_at=clock.now() - timedelta(hours=1), checked_at=None)
    assert "plain_say" in {tool.name for tool in tools_of(server.mcp, key, "auto")}
    assert plain_app.stalls
    plain_app.stalls = False

    plain_app.status = 401
    assert "Plain revoked our access" in text(call_plain("well"))
    assert LinkedApp.objects.get().last_error


@pytest.mark.parametrize("plain_app", [False], indirect=True)
def test_a_linked_app_is_selected_like_a_product_and_never_forwarded_through_two_instances(
    server: Serving, shop: Account, key: str
) -> None:
    def names(query: str = "") -> set[str]:
        return {tool.name.partition("_")[0] for tool in tools_of(f"{server.mcp}{query}", key, "auto")}

    mine = ApiKey.objects.get()
    assert (names(), names("?products=qr"), names("?products=plain")) == ({"svc", "plain"}, {"svc"}, {"plain"})
    mine.set_products(["qr"])
    assert (names(), names("?products=all")) == ({"svc"}, {"svc", "plain"})
    told = text(call_tool(server, key, "plain_say", {}))
    assert told.startswith("forbidden: Tests can’t use plain_say. Access to Plain was not granted.")
    assert told.endswith(mine.pk)
    browser = sign_in_browser(shop.owner)
    page = browser.get(f"/app/keys/{mine.pk}").content.decode()
    assert 'value="plain"' in page
    browser.post(f"/app/keys/{mine.pk}", {"asked_for_products": "1", "products": ["qr", "plain"]})
    assert ApiKey.objects.get().products == ["qr", "plain"] and names() == {"svc", "plain"}
    assert call_tool(server, key, "plain_do", {}).is_error is False
    change = Change.objects.filter(account=shop, tool="plain_do").get()
    assert (change.summary, change.channel, change.can_be_undone) == ("Plain: called do", "mcp", False)

    headers = {"authorization": f"Bearer {key}", "accept": "application/json, text/event-stream"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    with httpx2.Client(headers=headers, timeout=60) as agent:
        assert "plain_say" in agent.post(server.mcp, json=asked).text
        handed = agent.post(server.mcp, json=asked, headers={"workspace-family": "1"}).text
        assert "svc_me" in handed and "plain_say" not in handed


@pytest.mark.parametrize("plain_app", [True], indirect=True)
def test_a_client_that_disconnects_here_is_disconnected_at_the_linked_app(
    server: Serving, key: str, plain_app: Plain
) -> None:
    params = {"name": "plain_say", "arguments": {"how": "slowly"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    headers = {"authorization": f"Bearer {key}", "accept": "application/json, text/event-stream"}
    agent = HTTPConnection(urlsplit(server.url).netloc)
    agent.request("POST", "/mcp", message, {**headers, "content-type": "application/json"})
    assert plain_app.began.wait(60)
    agent.close()
    assert plain_app.gone.wait(60)
