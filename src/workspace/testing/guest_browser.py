"""A guest's browser for tests of pages."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import time_machine
from django.test import Client

from workspace.lib import clock

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Guest:
    def __init__(self, user_agent: str = PHONE, address: str = "203.0.113.7") -> None:
        self.client = Client(headers={"user-agent": user_agent}, REMOTE_ADDR=address)

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, headers=headers)

    def hidden(self, path: str) -> dict[str, str]:
        """Return the hidden fields of the form at the path."""
        return dict(_HIDDEN.findall(self.get(path).content.decode()))

    def send(self, path: str, after: float = 30, headers: dict[str, str] | None = None, **typed: str) -> Any:
        """Open the form at the path and send it `after` seconds later."""
        fields = self.hidden(path)
        with time_machine.travel(clock.now() + timedelta(seconds=after)):
            sent = {"sec-fetch-site": "same-origin", **(headers or {})}
            return self.client.post(path, {**fields, **typed}, headers=sent)
