"""All settings that change what pages and tools do. A new setting of this kind needs an entry here.

The suite opens all pages and calls all tools under the conditions in each line of TOGETHER (`across/test_settings.py`).
With WORKSPACE_TEST_EACH=1, it does so for every single condition. `WORKSPACE_TEST_CONDITION="payments on" bin/test
tests/browser` runs the browser stories with one of them.
"""

from __future__ import annotations

import atexit
import json
import os
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from workspace.linked_apps.config import Application

CLOSED = "http://127.0.0.1:9"  # no service listens on this port
BUCKET = "a bucket"  # needs a service that implements S3: `s3_server.py`
FILE_STORAGE = "another storage for files"
IN_MEMORY = {"BACKEND": "django.core.files.storage.InMemoryStorage"}  # its files have no path


@dataclass(frozen=True)
class Condition:
    """A condition.

    `environment` has the administrator's settings, and `django` the values that `settings.py` derives from them.
    `pages` are the pages that exist only with this condition or only without it.
    """

    environment: dict[str, str]
    django: dict[str, Any]
    pages: frozenset[str] = field(default_factory=frozenset)


_FAMILY = Application("shop", "Shop", CLOSED, f"{CLOSED}/mcp")
_PAYMENTS = {"PAYMENTS": True}
_STRIPE = {
    "STRIPE_KEY": "sk_test_key",
    "STRIPE_WEBHOOK_SECRET": "whsec_secret",
    "STRIPE_URL": CLOSED,
    "WEBHOOK_NETWORKS": ["127.0.0.0/8"],
}

CONDITIONS: dict[str, Condition] = {
    "payments on": Condition({"WORKSPACE_PAYMENTS": "on"}, _PAYMENTS, frozenset({"/pricing"})),
    "payments through Stripe": Condition(
        {
            "WORKSPACE_PAYMENTS": "on",
            "WORKSPACE_STRIPE_KEY": "sk_test_key",
            "WORKSPACE_STRIPE_WEBHOOK_SECRET": "whsec_secret",
            "WORKSPACE_STRIPE_URL": CLOSED,
            "WORKSPACE_WEBHOOK_NETWORKS": "127.0.0.0/8",
        },
        {**_PAYMENTS, **_STRIPE},
        frozenset({"/pricing", "/app/plans/qr/pro"}),
    ),
    "registration closed": Condition({"WORKSPACE_SIGNUP": "closed"}, {"SIGNUP_OPEN": False}),
    "a public address without a mail server": Condition(
        {"WORKSPACE_BASE_URL": "https://tools.example.com"}, {"LOCAL": False, "LOOPBACK": False}
    ),
    "a mail server": Condition(
        {"WORKSPACE_SMTP_HOST": "127.0.0.1", "WORKSPACE_SMTP_PORT": "9"}, {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": 9}
    ),
    BUCKET: Condition({}, {}),
    FILE_STORAGE: Condition({"WORKSPACE_FILE_STORAGE": json.dumps(IN_MEMORY)}, {}),
    "a family": Condition(
        {
            "WORKSPACE_LINKED_APPS": json.dumps(
                [{"name": "shop", "title": "Shop", "url": CLOSED, "mcp_url": f"{CLOSED}/mcp"}]
            )
        },
        {"FAMILY": (_FAMILY,)},
        frozenset({"/app/linked-apps/shop", "/oauth/linked-apps-client.json"}),
    ),
    "a named operator who answers by email": Condition(
        {
            "WORKSPACE_OPERATOR_NAME": "Ann Lee",
            "WORKSPACE_OPERATOR_EMAIL": "ann@example.com",
            "WORKSPACE_SUPPORT_ADDRESS": "help@example.com",
        },
        {"OPERATOR_NAME": "Ann Lee", "OPERATOR_EMAIL": "ann@example.com", "SUPPORT_ADDRESS": "help@example.com"},
    ),
}

TOGETHER = [
    ["payments on", "registration closed", "a public address without a mail server", "a family", FILE_STORAGE],
    ["payments through Stripe", "a mail server", BUCKET, "a named operator who answers by email"],
]


def chosen_environment() -> dict[str, str]:
    """Return the settings that WORKSPACE_TEST_CONDITION adds to every service started by a test."""
    chosen = os.environ.get("WORKSPACE_TEST_CONDITION")
    if chosen == BUCKET:
        return _bucket_settings()
    return dict(CONDITIONS[chosen].environment) if chosen else {}


@cache
def _bucket_settings() -> dict[str, str]:
    """Start the service with the bucket and return its settings. It ends with this process."""
    from workspace.testing.s3_server import Storage

    storage = Storage().__enter__()
    atexit.register(storage.__exit__)
    return storage.settings
