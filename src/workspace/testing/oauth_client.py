"""An OAuth client and a person's browser, step by step, for tests of OAuth and MCP."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.test import Client

from workspace.accounts.models import Account, Person

CALLBACK = "https://agent.example/callback"


def sign_in_browser(person: Person) -> Client:
    """Return a browser where the person has just signed in."""
    browser = Client()
    browser.force_login(person, backend=settings.AUTHENTICATION_BACKENDS[0])
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session["account_authentication_methods_user"] = str(person.pk)
    session.save()
    return browser


def register(**metadata: Any) -> dict[str, Any]:
    """Register a public client. Keyword arguments are added to its metadata."""
    wanted = {
        "client_name": "Helper",
        "redirect_uris": [CALLBACK],
        "token_endpoint_auth_method": "none",
        **metadata,
    }
    response = Client().post("/oauth/register", wanted, content_type="application/json")
    assert response.status_code == 201, response.content
    found: dict[str, Any] = response.json()
    return found


def redirect_parameters(response: Any) -> dict[str, str]:
    """Return the parameters that a redirect sends to the client."""
    assert response.status_code == 302, (response.status_code, response.content[:300])
    return {name: values[0] for name, values in parse_qs(urlsplit(response["Location"]).query).items()}


@dataclass
class Flow:
    """The authorization of a client by a person. `ask`, `allow` and `exchange` accept other parameters."""

    browser: Client
    client_id: str
    callback: str = CALLBACK
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    def query(self, **changes: Any) -> dict[str, Any]:
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.callback,
            "state": "st-1",
            "scope": "read write",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "resource": f"{settings.BASE_URL}/mcp",
            **changes,
        }
        return {name: value for name, value in asked.items() if value is not None}

    def request_authorization(self, **changes: Any) -> Any:
        return self.browser.get("/oauth/authorize", self.query(**changes))

    def allow(self, account: Any, *, access: str = "write", decision: str = "allow", **changes: Any) -> Any:
        return self.browser.post(
            "/oauth/authorize",
            {"decision": decision, "account": getattr(account, "pk", account), "access": access},
            query_params=self.query(**changes),
        )

    def exchange(self, code: str, **changes: Any) -> Any:
        wanted = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.callback,
            "client_id": self.client_id,
            "code_verifier": self.verifier,
            **changes,
        }
        return post_token({name: value for name, value in wanted.items() if value is not None})

    def tokens(self, account: Any, **allowed: Any) -> dict[str, Any]:
        """Return the tokens of a new authorization."""
        response = self.exchange(redirect_parameters(self.allow(account, **allowed))["code"])
        assert response.status_code == 200, response.content
        found: dict[str, Any] = response.json()
        return found

    def refresh(self, refresh_token: str, **changes: Any) -> Any:
        return post_token(
            {
                "grant_type": "refresh_token",
                "refresh_token": refresh_token,
                "client_id": self.client_id,
                **changes,
            }
        )


def post_token(fields: dict[str, Any]) -> Any:
    return Client().post(
        "/oauth/token", urlencode(fields, doseq=True), content_type="application/x-www-form-urlencoded"
    )


def call_me(token: str) -> Any:
    return Client().get("/api/v1/me", headers={"authorization": f"Bearer {token}"})


def connect(flow: Flow, account: Account, *products: str) -> str:
    """Return an access token of a connection limited to these products."""
    asked = flow.query()
    allowed = {"decision": "allow", "account": account.pk, "access": "write"}
    form = {**allowed, "asked_for_products": "1", "products": list(products)}
    response = flow.browser.post("/oauth/authorize", form, query_params=asked)
    code = re.search(r"code=([^&]+)", response["Location"])
    assert code is not None
    return str(flow.exchange(code[1]).json()["access_token"])


def call_tool(token: str, name: str, **arguments: Any) -> tuple[int, dict[str, Any]]:
    browser = Client(headers={"authorization": f"Bearer {token}"})
    response = browser.post("/api/v1/call", {"name": name, "arguments": arguments}, content_type="application/json")
    return response.status_code, response.json()
