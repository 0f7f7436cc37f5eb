"""Fixtures: a signed-in browser on the test pages of this package."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from workspace.accounts.models import Account
from workspace.dashboard.tests import sample


@pytest.fixture(autouse=True)
def _own_pages(settings: Any) -> None:
    settings.ROOT_URLCONF = "workspace.dashboard.tests.sample"
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["APP_DIRS"] = False
    templates[0]["OPTIONS"]["loaders"] = [
        ("django.template.loaders.locmem.Loader", {"sample/new.html": sample.NEW_PAGE}),
        "django.template.loaders.filesystem.Loader",
        "django.template.loaders.app_directories.Loader",
    ]
    settings.TEMPLATES = templates


@pytest.fixture
def browser(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner, backend=settings.AUTHENTICATION_BACKENDS[0])
    return client
