"""A guest with a phone, and their actions."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36"


def visit(path: str, *, method: str = "get", agent: str = PHONE, address: str = "203.0.113.7", **headers: str) -> Any:
    client = Client(headers={"user-agent": agent, **headers}, REMOTE_ADDR=address)
    response: HttpResponse = getattr(client, method)(path)
    return response


def fetch_html(path: str) -> str:
    response = visit(path)
    assert response.status_code == 200, response
    return str(response.content.decode())


def public_path(page: dict[str, Any]) -> str:
    return f"/l/{page['slug']}"
