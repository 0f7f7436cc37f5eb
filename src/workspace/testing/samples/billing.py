"""What the tests across all tools need to know of invitations."""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api

SAMPLES = {
    "svc_invite_link": lambda made: {},
    "svc_invite_send": lambda made: {"emails": ["friend@example.org"], "message": "Have a look"},
}
LISTS: dict[str, Any] = {}


def make(api: Api) -> dict[str, str]:
    return {}
