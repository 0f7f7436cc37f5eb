"""Guests with phones that store no cookies."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client

from workspace.testing.publications import IPHONE

HERE = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}


def scan(code: dict[str, Any] | str, *, user_agent: str = IPHONE, method: str = "get", **query: str) -> HttpResponse:
    slug = code if isinstance(code, str) else code["slug"]
    return getattr(Client(headers={"user-agent": user_agent}), method)(f"/q/{slug}", query)


def unlock(code: dict[str, Any], password: str, **headers: str) -> HttpResponse:
    client = Client(headers={"user-agent": IPHONE, **HERE, **headers}, enforce_csrf_checks=True)
    return client.post(f"/q/{code['slug']}", {"password": password})
