"""The SDK's own client, used over HTTP like an AI assistant."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

from workspace.accounts.models import Account

T = TypeVar("T")
ERAS = ["legacy", "2026-07-28", "auto"]


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Run the work in an event loop, for at most 30 seconds."""

    async def bounded() -> T:
        async with asyncio.timeout(30):
            return await work()

    return asyncio.run(bounded())


@asynccontextmanager
async def open_client(
    url: str, *, key: str = "", auth: httpx2.Auth | None = None, mode: str = "auto"
) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    async with (
        httpx2.AsyncClient(headers=headers, auth=auth, timeout=120) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


class Memory:
    """The token storage of the client."""

    tokens: Any = None
    client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


class Person:
    """A person who signs in and allows access, over HTTP with the running server."""

    def __init__(self, cookies: dict[str, str], account: Account, access: str = "write") -> None:
        self.cookies = cookies
        self.account_id = account.pk
        self.access = access
        self.answer: dict[str, list[str]] = {}
        self.asked: list[str] = []

    async def redirect(self, url: str) -> None:
        self.asked.append(url)
        async with httpx2.AsyncClient(cookies=self.cookies, timeout=120) as browser:
            page = await browser.get(url)
            assert page.status_code == 200, (page.status_code, page.headers.get("location"), page.text[:500])
            token = page.text.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
            form = {
                "csrfmiddlewaretoken": token,
                "account": self.account_id,
                "access": self.access,
                "decision": "allow",
            }
            answer = await browser.post(url, data=form, headers={"origin": _origin(url)})
            assert answer.status_code == 302, answer.text[:500]
        self.answer = parse_qs(urlsplit(answer.headers["location"]).query)

    async def callback(self) -> AuthorizationCodeResult:
        told = {name: values[0] for name, values in self.answer.items()}
        return AuthorizationCodeResult(code=told["code"], state=told.get("state"), iss=told.get("iss"))


def provider(url: str, person: Person, memory: Memory) -> OAuthClientProvider:
    """Return the SDK's OAuth provider. The person acts as its browser."""
    return OAuthClientProvider(
        url,
        OAuthClientMetadata(client_name="Test Agent", redirect_uris=["http://127.0.0.1:33418/callback"]),
        memory,
        person.redirect,
        person.callback,
    )


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
