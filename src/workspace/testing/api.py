"""Fixtures for all tests: an account with a key, and the API as a client uses it."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from whitenoise.middleware import WhiteNoiseMiddleware

from workspace.accounts.models import Account, ApiKey, Person

_numbers = itertools.count(1)


_read_static_files = WhiteNoiseMiddleware.add_files_from_finders
_static_files: dict[str, dict[str, Any]] = {}  # by prefix


def _share_static_files(middleware: WhiteNoiseMiddleware) -> None:
    """Collect the static files once per process.

    Each `Client` has its own middleware, whose setup takes 25 ms.
    """
    if middleware.static_prefix not in _static_files:
        _read_static_files(middleware)
        _static_files[middleware.static_prefix] = dict(middleware.files)
    middleware.files.update(_static_files[middleware.static_prefix])


WhiteNoiseMiddleware.add_files_from_finders = _share_static_files


def make_account(*, name: str = "Corner Café", time_zone: str = "UTC", **chosen: str) -> Account:
    """Create an account with an owner. Keyword arguments set plans: `make_account(qr="free")`."""
    person = Person.objects.create_user(f"owner{next(_numbers)}@example.com", name="Olive Owner")
    return Account.open(person, name=name, time_zone=time_zone, chosen=chosen)


@dataclass
class Api:
    """A client that calls REST in-process with a key. `get` and `post` return (status, body)."""

    account: Account
    key: str

    def __post_init__(self) -> None:
        self.client = Client(headers={"authorization": f"Bearer {self.key}"})

    def get(self, path: str, **query: Any) -> tuple[int, dict[str, Any]]:
        response = self.client.get(f"/api/v1/{path}", query)
        return response.status_code, response.json()

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, Any]]:
        response = self.client.post(
            f"/api/v1/{path}", json.dumps(body or {}), content_type="application/json", headers=headers
        )
        return response.status_code, response.json()

    def run(self, name: str, /, **arguments: Any) -> Any:
        """Call a tool by name and return its data. Fail the test if the tool raises an error."""
        status, body = self.post("call", {"name": name, "arguments": arguments})
        assert status == 200, body
        return body["data"]

    def refuse(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool by name and return the error body. Fail the test if the call succeeds."""
        status, body = self.post("call", {"name": name, "arguments": arguments})
        assert status >= 400, body
        assert body["ok"] is False, body
        return body


def make_api(account: Account | None = None, *, read_only: bool = False) -> Api:
    account = account or make_account()
    _, secret = ApiKey.create(account, name="Tests", read_only=read_only)
    return Api(account, secret)


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def api(account: Account) -> Api:
    return make_api(account)


@pytest.fixture
def stranger(db: None) -> Api:
    """Return the API of another account, with its own key."""
    return make_api(make_account(name="Other Shop"))
