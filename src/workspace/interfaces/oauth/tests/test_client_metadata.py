"""Clients whose id is the URL of their metadata document."""

from __future__ import annotations

import gzip
import json
import time
from typing import Any

import pytest
from django.core.cache import cache
from oauth2_provider.cimd import CIMDError
from oauth2_provider.settings import oauth2_settings

from workspace.accounts.models import Account, OAuthClient
from workspace.testing.oauth_client import CALLBACK, Flow, sign_in_browser
from workspace.testing.rate_limits import set_limit
from workspace.testing.raw_web_server import (
    Act,
    answer_endlessly,
    answer_with_bytes,
    create_certificate_contexts,
    serving,
)

pytestmark = pytest.mark.django_db
ID = "https://agent.example/oauth/client.json"


class Documents:
    """A replacement for the web that serves a document for each URL."""

    served: dict[str, dict[str, Any]] = {}
    fetched: list[str] = []

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        self.fetched.append(client_id)
        if client_id not in self.served:
            raise CIMDError("nothing there")
        return self.served[client_id], 600


@pytest.fixture
def documents(settings, db, monkeypatch: pytest.MonkeyPatch):
    cache.clear()
    monkeypatch.setattr(Documents, "served", {})
    monkeypatch.setattr(Documents, "fetched", [])
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "CIMD_METADATA_FETCHER": Documents}
    Documents.served[ID] = {"client_id": ID, "client_name": "Published Helper", "redirect_uris": [CALLBACK]}
    yield Documents
    cache.clear()


def test_a_published_client_connects_without_registering(documents, account: Account) -> None:
    flow = Flow(sign_in_browser(account.owner), ID)
    page = flow.request_authorization().content.decode()
    assert "Published Helper" in page
    assert "Published by <strong>agent.example</strong>" in page
    assert "Nobody has checked" not in page
    assert flow.tokens(account)["access_token"]
    assert documents.fetched == [ID]
    assert OAuthClient.objects.get().is_published


def test_a_document_with_another_client_id_is_refused(documents, account: Account) -> None:
    documents.served[ID]["client_id"] = "https://other.example/client.json"
    assert Flow(sign_in_browser(account.owner), ID).request_authorization().status_code == 400
    assert not OAuthClient.objects.exists()


@pytest.mark.parametrize("redirects", [["http://agent.example/cb"], ["javascript:x"], [CALLBACK] * 21])
def test_a_document_must_follow_the_rules_of_registration(documents, account: Account, redirects: list[str]) -> None:
    documents.served[ID]["redirect_uris"] = redirects
    assert Flow(sign_in_browser(account.owner), ID).request_authorization().status_code == 400
    assert not OAuthClient.objects.exists()


def test_a_missing_document_is_not_fetched_repeatedly(documents, account: Account) -> None:
    documents.served.clear()
    flow = Flow(sign_in_browser(account.owner), ID)
    assert [flow.request_authorization().status_code for _ in range(3)] == [400, 400, 400]
    assert documents.fetched == [ID]


def test_the_documents_fetched_for_one_address_are_limited(
    documents, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit(monkeypatch, "oauth-registration", 2)
    for number in range(4):
        Flow(sign_in_browser(account.owner), f"https://agent.example/{number}.json").request_authorization()
    assert len(documents.fetched) == 2


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/c.json",
        "https://localhost/c.json",
        "https://[::1]/c.json",
        "https://10.0.0.1/c.json",
        "https://169.254.169.254/latest/meta-data",
        "https://[64:ff9b::7f00:1]/c.json",
        "https://[::ffff:10.0.0.1]/c.json",
        "https://[::127.0.0.1]/c.json",
        "https://[64:ff9b:1::1]/c.json",
        "https://[fec0::1]/c.json",
        "https://93.184.215.14:22/c.json",
        "https://user@example.com/c.json",
        "http://example.com/c.json",
    ],
)
def test_no_internal_address_is_fetched(address: str) -> None:
    with pytest.raises(CIMDError, match=r"public internet|host is not complete|userinfo|https scheme|Port"):
        oauth2_settings.CIMD_METADATA_FETCHER().fetch(address)


def document(**changes: Any) -> bytes:
    return json.dumps({"client_id": "x", "client_name": "Published Helper", **changes}).encode()


def fetched(act: Act) -> tuple[dict[str, Any], int]:
    """Fetch from a server that acts as given. Return the fetcher's result."""
    server, trust = create_certificate_contexts()
    with serving(act, server) as peer:
        fetcher = oauth2_settings.CIMD_METADATA_FETCHER()
        fetcher.guard = peer.guard(trust=trust)
        return fetcher.fetch(f"{peer.url}client.json")


def respond_with(body: bytes, *lines: str, status: str = "200 OK", kind: str = "application/json") -> Act:
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *lines]
    return answer_with_bytes("\r\n".join([*head, "", ""]).encode() + body)


def test_a_document_is_fetched_over_tls_with_its_cache_lifetime() -> None:
    found, kept = fetched(
        respond_with(document(), "Cache-Control: max-age=900", kind="application/cimd+json; charset=utf-8")
    )
    assert (found["client_name"], kept) == ("Published Helper", 900)


@pytest.mark.parametrize(
    "act",
    [
        respond_with(document(), status="404 Not Found"),
        respond_with(b"", "Location: https://127.0.0.1/c.json", status="302 Found"),
        respond_with(document(), kind="text/html"),
        respond_with(b"[]"),
        respond_with(b"{"),
        respond_with(b'{"client_id": "a", "client_id": "b"}'),
        respond_with(document(client_name="x" * 20_000)),
        respond_with(gzip.compress(document(client_name="x" * 20_000)), "Content-Encoding: gzip"),
    ],
)
def test_an_invalid_document_is_refused(act: Act) -> None:
    with pytest.raises(CIMDError):
        fetched(act)


def test_a_host_that_sends_too_slowly_times_out(settings) -> None:
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "CIMD_FETCH_TIMEOUT_SECONDS": 1}
    began = time.monotonic()
    with pytest.raises(CIMDError, match="within 1 s"):
        fetched(answer_endlessly(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX: ", b"a"))
    assert time.monotonic() - began < 60
