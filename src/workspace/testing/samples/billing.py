"""Samples of invitations, for the tests across all tools."""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api

SAMPLES = {
    "svc_invite_link": lambda made: {},
    "svc_invite_send": lambda made: {"emails": ["friend@example.org"], "message": "Have a look"},
}
LISTS: dict[str, Any] = {}


def create_samples(api: Api) -> dict[str, str]:
    return {}
