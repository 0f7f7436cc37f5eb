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
    cached, loaders = templates[0]["OPTIONS"]["loaders"][0]
    own_pages = ("django.template.loaders.locmem.Loader", {"sample/new.html": sample.NEW_PAGE})
    templates[0]["OPTIONS"]["loaders"] = [(cached, [own_pages, *loaders])]
    settings.TEMPLATES = templates


@pytest.fixture
def browser(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner, backend=settings.AUTHENTICATION_BACKENDS[0])
    return client
