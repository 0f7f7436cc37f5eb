"""Publications and guests for these tests."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Account
from workspace.publishing.models import Publication
from workspace.publishing.visitor import Visitor, digest
from workspace.testing import make_account

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
)
WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
)


def publish(account: Account | None = None, kind: str = "qr", slug: str | None = None) -> Publication:
    return Publication.open(account or make_account(), kind, slug)


def guest(name: str = "Ann", **facts: Any) -> Visitor:
    """Guests of different names are different people."""
    told = {"bot": False, "device": "phone", "city": "Graz", "country": "Austria", "referrer_host": ""}
    return Visitor(**{**told, **facts}, address_key=digest(name))
