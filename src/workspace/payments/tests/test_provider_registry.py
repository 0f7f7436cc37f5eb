"""The registered providers define everything that other code needs, and no other code mentions one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import workspace
from workspace.payments import provider_registry
from workspace.payments.checkout import MAX_LIFETIME_MARGIN, MIN_LIFETIME_MARGIN, REUSE_MARGIN
from workspace.payments.models import Connection
from workspace.payments.provider import Provider

pytestmark = pytest.mark.any_database

ROOT = Path(workspace.__file__).parent
ONE_OF_THEM = re.compile(r"(?<![a-z])stripe(?!d)", re.IGNORECASE)
# The files of the provider, the payments of accounts to the administrator (billing/), and what only tests see.
PROVIDER_FILES = ("payments/stripe.py", "payment_clients/stripe/", "billing/", "testing/")
ELSEWHERE = {
    "accounts/plans.py": "plans are sold with the administrator's key",
    "environment.py": "settings: the API's URL, the administrator's key",
    "interfaces/account_pages/plan_views.py": "where plans are paid",
    "interfaces/admin_cli/checks.py": "the administrator's webhook",
    "interfaces/templates/account_pages/plan_choose.html": "where plans are paid",
    "interfaces/templates/account_pages/plan_wait.html": "where plans are paid",
    "payments/provider_registry.py": "the registry",
    "payment_clients/__init__.py": "the list of contents",
    "settings.py": "settings",
    "support/articles/account/17-take-payments-online.md": "a help article of today's provider",
}


@pytest.mark.parametrize("provider", provider_registry.PROVIDERS, ids=lambda one: one.name)
def test_a_provider_is_complete(provider: Provider) -> None:
    max_length = Connection._meta.get_field("provider").max_length or 0
    assert re.fullmatch(r"[a-z][a-z0-9_-]*", provider.name) and len(provider.name) <= max_length
    assert provider.title == provider.title.strip() != ""
    setup = provider.setup
    assert setup.key_steps and setup.webhook_events and setup.webhooks_url.startswith("https://")
    assert all((setup.key_label, setup.key_help, setup.secret_label, setup.secret_help))
    shortest = provider.min_lifetime + max(MIN_LIFETIME_MARGIN, REUSE_MARGIN)
    assert shortest < provider.max_lifetime - MAX_LIFETIME_MARGIN
    assert provider_registry.get_provider(provider.name) is provider


def test_names_are_unique_and_an_unknown_one_has_no_provider() -> None:
    names = [one.name for one in provider_registry.PROVIDERS]
    assert len(set(names)) == len(names)
    assert provider_registry.find_provider("unknown") is None
    assert provider_registry.get_title("unknown") == "Unknown"
    with pytest.raises(KeyError):
        provider_registry.get_provider("unknown")


def test_no_other_file_names_a_provider() -> None:
    named = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*")
        if path.suffix in (".py", ".html", ".txt", ".md", ".js")
        and "tests" not in path.parts
        and ONE_OF_THEM.search(path.read_text(encoding="utf-8"))
    }
    assert {name for name in named if not name.startswith(PROVIDER_FILES)} == set(ELSEWHERE)
