"""Connecting an app whose authorization server misbehaves leaks nothing and loses no grant."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connections
from pytest_django.fixtures import Settings

from workspace.accounts.models import Account
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.linked_apps import client_registration, connection, tokens
from workspace.linked_apps.config import Application
from workspace.linked_apps.discovery import discover_server
from workspace.linked_apps.http_json import AppUnreachableError, LinkedAppError, validate_url
from workspace.linked_apps.models import LinkedApp, Registration
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Till:
    """A fake authorization server.

    `says` changes its metadata, `gives` contains responses of its token endpoint, and `forms` contains the forms
    received, with their Authorization header.
    """

    url: str = ""
    says: dict[str, Any] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    gives: list[Any] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)
    meanwhile: Any = None

    def reply_to(self, path: str, body: bytes, header: str) -> tuple[int, Any]:
        if path.startswith("/.well-known/oauth-protected-resource"):
            return 200, {"resource": f"{self.url}/mcp", "authorization_servers": [self.url], **self.resource}
        if path == "/.well-known/oauth-authorization-server":
            endpoints = {f"{name}_endpoint": f"{self.url}/{name}" for name in ("authorization", "token", "revocation")}
            return 200, {
                "issuer": self.url,
                **endpoints,
                "registration_endpoint": f"{self.url}/register",
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": True,
                **self.says,
            }
        if path == "/register":
            return 201, {"client_id": "we", "client_secret": "between us"}
        if path in ("/token", "/revocation"):
            self.forms.append(
                {"": header, "at": path, **{name: values[0] for name, values in parse_qs(body.decode()).items()}}
            )
            if self.meanwhile is not None:
                self.meanwhile()
            return self.gives.pop(0) if path == "/token" else (200, {})
        return (404 if header else 401), {}  # it has no tools


@pytest.fixture(scope="module")
def served() -> Iterator[Till]:
    till = Till()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            at = till.reply_to(self.path, body, self.headers.get("authorization", ""))
            said = json.dumps(at[1]).encode()
            self.send_response(at[0])
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        do_POST = do_GET

        def log_message(self, *words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    till.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield till
    server.shutdown()
    server.server_close()


@pytest.fixture
def till(served: Till) -> Till:
    served.says, served.resource, served.gives, served.forms, served.meanwhile = {}, {}, [], [], None
    return served


@pytest.fixture
def app(till: Till, settings: Settings) -> Application:
    made = Application("till", "Till", till.url, f"{till.url}/mcp")
    settings.FAMILY = (made,)
    return made


def token_response(access: str = "one", refresh: str = "again", **more: Any) -> tuple[int, dict[str, Any]]:
    return 200, {"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 60, **more}


def connected(account: Account, app: Application, till: Till) -> LinkedApp:
    _, pending = connection.start_authorization(account, app)
    till.gives.append(token_response())
    answer = {"state": pending["state"], "iss": till.url, "code": "c"}
    return connection.finish_authorization(account, account.owner, app, pending, answer)


def test_inconsistent_metadata_is_rejected(app: Application, till: Till) -> None:
    for what, told, why in [
        ("says", {"code_challenge_methods_supported": ["plain"]}, "support PKCE"),
        ("says", {"issuer": "https://evil.example"}, "as a different server"),
        ("says", {"token_endpoint": "ftp://evil.example"}, "must use https"),
        ("says", {"token_endpoint": None}, "no valid token_endpoint"),
        ("resource", {"resource": "https://evil.example/mcp"}, "different address than its own"),
        ("resource", {"resource": f"{till.url}/mc"}, "different address than its own"),
        ("resource", {"authorization_servers": []}, "doesn’t name a sign-in server"),
    ]:
        till.says, till.resource = {}, {}
        setattr(till, what, told)
        with pytest.raises(LinkedAppError, match=why):
            discover_server(app)
    till.says, till.resource = {}, {"resource": till.url}
    assert discover_server(app).resource == till.url, "what stands above it at the same origin may speak for it"


def test_an_app_on_the_internet_cannot_refer_to_private_addresses() -> None:
    shop = Application("shop", "Shop", "https://shop.example", "https://shop.example/mcp")
    for inside in (
        "http://shop.example/token",
        "https://127.0.0.1/token",
        "https://169.254.169.254/",
        "https://x.local/",
    ):
        with pytest.raises(LinkedAppError):
            validate_url(shop, inside, "token_endpoint")
    assert validate_url(shop, "https://shop.example/token", "token_endpoint") == "https://shop.example/token"


def test_only_the_response_to_the_own_request_is_accepted(app: Application, till: Till) -> None:
    account = make_account()
    asked, pending = connection.start_authorization(account, app)
    assert parse_qs(urlsplit(asked).query)["client_id"] == ["we"]
    right = {"state": pending["state"], "iss": till.url, "code": "c"}
    for wrong, why in [
        ({"state": "another"}, "belong to your request"),
        ({"state": "\ud800"}, "belong to your request"),
        ({"iss": "https://evil.example"}, "isn’t from the sign-in server"),
        ({"iss": None}, "isn’t from the sign-in server"),
        ({"error": "access_denied"}, "you didn’t allow access"),
        ({"code": ""}, "didn’t send a code"),
    ]:
        answer = {name: value for name, value in (right | wrong).items() if value is not None}
        with pytest.raises(LinkedAppError, match=why):
            connection.finish_authorization(account, account.owner, app, pending, answer)
    with pytest.raises(LinkedAppError, match="timed out"):
        connection.finish_authorization(make_account(), account.owner, app, pending, right)
    assert till.forms == [], "no code was handed out"
    for odd in [
        (200, {}),
        (200, {"access_token": 5}),
        (200, token_response()[1] | {"token_type": "mac"}),
        (400, {}),
        (200, []),
    ]:
        till.gives.append(odd)
        with pytest.raises(LinkedAppError):
            connection.finish_authorization(account, account.owner, app, pending, right)
    till.gives.append(token_response())
    grant = connection.finish_authorization(account, account.owner, app, pending, right)
    sent = till.forms[-1]
    assert (sent["resource"], sent["code_verifier"]) == (f"{till.url}/mcp", pending["verifier"])
    assert base64.b64decode(sent[""].removeprefix("Basic ")).decode() == "we:between%20us"
    assert Registration.objects.get().client_secret not in ("", "between us")
    assert grant.access_token == "one"


def test_a_failed_renewal_loses_nothing_and_a_rejected_one_ends_the_grant(app: Application, till: Till) -> None:
    account = make_account()
    grant = connected(account, app, till)
    LinkedApp.objects.update(expires_at=clock.now() - timedelta(hours=1))
    till.gives.append((503, {}))
    with pytest.raises(AppUnreachableError):
        tokens.get_access_token(grant.pk)
    till.gives.append(token_response("two", ""))  # a server need not return a new refresh token
    assert tokens.get_access_token(grant.pk) == "two" and LinkedApp.objects.get().refresh_token == "again"
    LinkedApp.objects.update(refresh_lease_until=clock.now() + timedelta(seconds=60), expires_at=clock.now())
    with pytest.raises(AppUnreachableError, match="took too long"):  # another caller renews it
        tokens.get_access_token(grant.pk, seconds=0.1)
    LinkedApp.objects.update(refresh_lease_until=clock.now() - timedelta(seconds=1))  # whose process was killed
    till.gives.append((400, {"error": "invalid_grant"}))
    with pytest.raises(tokens.GrantExpiredError):
        tokens.get_access_token(grant.pk)
    assert (
        LinkedApp.objects.get().last_error == "Till revoked our access"
        and not LinkedApp.objects.get().refresh_token_encrypted
    )


def test_tokens_for_a_grant_deleted_during_renewal_are_revoked(app: Application, till: Till) -> None:
    account = make_account()
    grant = connected(account, app, till)

    def delete_grant() -> None:
        till.meanwhile = None
        LinkedApp.objects.all().delete()
        connections.close_all()  # of the server's thread

    till.meanwhile = delete_grant
    till.gives.append(token_response("late", "later"))
    with pytest.raises(tokens.GrantExpiredError):
        tokens.get_access_token(grant.pk, rejected_token="one")
    assert (till.forms[-1]["at"], till.forms[-1]["token"]) == ("/revocation", "later")


def test_the_grant_of_a_former_member_is_revoked(app: Application, till: Till) -> None:
    account = make_account()
    connected(account, app, till)
    connection.disconnect_orphaned_grant()
    assert LinkedApp.objects.count() == 1
    account.memberships.all().delete()
    connection.disconnect_orphaned_grant()
    assert not LinkedApp.objects.exists()
    row = Delivery.objects.get(kind=connection.DELIVERY_KIND)
    assert "again" not in json.dumps(row.payload)
    connection.RevocationChannel().send(row)
    assert till.forms[-1]["token"] == "again"


def test_a_client_metadata_document_is_used_if_supported(app: Application, till: Till, settings: Settings) -> None:
    settings.SECURE, settings.LOOPBACK, settings.BASE_URL = True, False, "https://us.example"
    till.says = {"client_id_metadata_document_supported": True}
    assert (
        client_registration.get_or_register_client(app, discover_server(app)).id
        == "https://us.example/oauth/linked-apps-client.json"
    )
    told = client_registration.client_id_document()
    assert told["client_id"] == "https://us.example/oauth/linked-apps-client.json"
    assert told["redirect_uris"] == ["https://us.example/app/linked-apps/till/callback"]
    till.says = {"registration_endpoint": None}
    with pytest.raises(LinkedAppError, match="allow registration"):
        client_registration.get_or_register_client(app, discover_server(app))
