"""Clients whose id is the address of their metadata document."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from oauth2_provider.cimd import CIMDError, SafeMetadataFetcher

from workspace.accounts.models import Account, OAuthClient
from workspace.interfaces.oauth import registration_limit
from workspace.interfaces.oauth.tests.flow import CALLBACK, Flow, browser_of

pytestmark = pytest.mark.django_db
ID = "https://agent.example/oauth/client.json"


class Documents:
    """Stands for the web: what each address serves."""

    served: dict[str, dict[str, Any]] = {}
    fetched: list[str] = []

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        self.fetched.append(client_id)
        if client_id not in self.served:
            raise CIMDError("nothing there")
        return self.served[client_id], 600


@pytest.fixture
def documents(settings, monkeypatch: pytest.MonkeyPatch):
    cache.clear()
    monkeypatch.setattr(Documents, "served", {})
    monkeypatch.setattr(Documents, "fetched", [])
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "CIMD_METADATA_FETCHER": Documents}
    Documents.served[ID] = {"client_id": ID, "client_name": "Published Helper", "redirect_uris": [CALLBACK]}
    yield Documents
    cache.clear()


def test_a_published_client_connects_without_registering(documents, account: Account) -> None:
    flow = Flow(browser_of(account.owner), ID)
    page = flow.ask().content.decode()
    assert "Published Helper" in page
    assert "Published by <strong>agent.example</strong>" in page
    assert "Nobody has checked" not in page
    assert flow.tokens(account)["access_token"]
    assert documents.fetched == [ID]
    assert OAuthClient.objects.get().is_published


def test_a_document_that_claims_another_address_is_refused(documents, account: Account) -> None:
    documents.served[ID]["client_id"] = "https://other.example/client.json"
    assert Flow(browser_of(account.owner), ID).ask().status_code == 400
    assert not OAuthClient.objects.exists()


@pytest.mark.parametrize("redirects", [["http://agent.example/cb"], ["javascript:x"], [CALLBACK] * 21])
def test_a_document_keeps_the_rules_of_registration(documents, account: Account, redirects: list[str]) -> None:
    documents.served[ID]["redirect_uris"] = redirects
    assert Flow(browser_of(account.owner), ID).ask().status_code == 400
    assert not OAuthClient.objects.exists()


def test_a_missing_document_is_not_fetched_again_and_again(documents, account: Account) -> None:
    documents.served.clear()
    flow = Flow(browser_of(account.owner), ID)
    assert [flow.ask().status_code for _ in range(3)] == [400, 400, 400]
    assert documents.fetched == [ID]


def test_one_address_makes_so_many_documents_be_fetched(
    documents, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration_limit, "FROM_ONE_ADDRESS", 2)
    for number in range(4):
        Flow(browser_of(account.owner), f"https://agent.example/{number}.json").ask()
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
        "https://user@example.com/c.json",
    ],
)
def test_no_inner_address_is_fetched(address: str) -> None:
    with pytest.raises(CIMDError, match=r"non-public|userinfo"):
        SafeMetadataFetcher().fetch(address)
