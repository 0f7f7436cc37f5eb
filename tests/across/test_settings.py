"""Every page and every tool works with each setting that changes behavior, not only with the settings of the tests."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from django.test import Client

from tests.across import service_urls
from tests.across.product_urls import owners
from tests.across.samples import SAMPLES
from workspace.accounts.models import Person
from workspace.products import PRODUCT_NAMES, list_manifests
from workspace.publishing.models import Publication
from workspace.testing.api import Api
from workspace.testing.s3_server import Storage
from workspace.testing.service_conditions import BUCKET, CONDITIONS, FILE_STORAGE, IN_MEMORY, TOGETHER

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
Furnished = tuple[Api, dict[str, str]]
TRIED = [[name] for name in CONDITIONS] if os.environ.get("WORKSPACE_TEST_EACH") else TOGETHER
PATHS = {product.key: product.public_prefix for product in list_manifests()}
SECURITY = [
    "/account/password/set",
    "/account/email",
    "/account/second-step",
    "/account/second-step/app",
    "/account/passkeys",
    "/account/passkeys/new",
    "/account/sessions",
]


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    with Storage() as storage:
        yield storage


@pytest.fixture
def change_settings(settings: Any, request: Any) -> Callable[[list[str]], None]:
    def change(names: list[str]) -> None:
        for name in names:
            for setting, value in CONDITIONS[name].django.items():
                setattr(settings, setting, value)
        if BUCKET in names:
            options = request.getfixturevalue("storage").options
            bucket = {"BACKEND": "workspace.storage.files.backends.s3.BucketStorage", "OPTIONS": options}
            settings.STORAGES = {**settings.STORAGES, "files": bucket}
        if FILE_STORAGE in names:
            settings.STORAGES = {**settings.STORAGES, "files": IN_MEMORY}

    return change


@pytest.fixture(scope="module")
def usual() -> dict[str, int]:
    """Return the status of each page with the settings of the tests. The first test that uses it fills it."""
    return {}


def open_pages(furnished: Furnished) -> dict[str, int]:
    """Return the status of every page for its owner."""
    api, made = furnished
    browser = sign_in(api)
    shown = Publication.objects.filter(account=api.account).values_list("kind", "slug")
    paths = [
        *service_urls.addresses(made),
        *(path for name in PRODUCT_NAMES for path in owners(name, made)),
        *(f"{PATHS[kind]}{slug}" for kind, slug in shown),
    ]
    return {path: browser.get(path).status_code for path in paths}


def sign_in(api: Api) -> Client:
    """Return a browser of the owner, who is an administrator and has just signed in."""
    owner = api.account.owner
    Person.objects.filter(pk=owner.pk).update(is_operator=True)
    EmailAddress.objects.get_or_create(user=owner, email=owner.email, primary=True, verified=True)
    browser = Client()
    browser.force_login(owner)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "email": owner.email}]
    session.save()
    return browser


@pytest.mark.slow
@pytest.mark.parametrize("names", TRIED, ids=" + ".join)
def test_every_page_opens(
    names: list[str], furnished: Furnished, usual: dict[str, int], change_settings: Callable[[list[str]], None]
) -> None:
    if not usual:
        usual.update(open_pages(furnished))
    assert {page: usual[page] for page in SECURITY} == dict.fromkeys(SECURITY, 200)
    change_settings(names)
    now = open_pages(furnished)
    assert not {path: status for path, status in now.items() if status >= 500}
    changed = {path for path in usual if (usual[path] == 200) != (now[path] == 200)}
    expected = set().union(*(CONDITIONS[name].pages for name in names))
    assert changed == expected, {path: (usual[path], now[path]) for path in changed ^ expected}


@pytest.mark.parametrize("names", TRIED, ids=" + ".join)
def test_every_tool_answers(
    names: list[str], furnished: Furnished, change_settings: Callable[[list[str]], None]
) -> None:
    api, made = furnished
    change_settings(names)
    payments = any("PAYMENTS" in CONDITIONS[name].django for name in names)
    for name, sample in SAMPLES.items():
        with transaction.atomic():
            status, body = api.post("call", {"name": name, "arguments": sample(made)})
            transaction.set_rollback(True)
        refused_by_plan = payments and "choose a larger plan" in body.get("message", "")
        assert status == 200 or refused_by_plan, (name, status, body)


def test_every_condition_is_tested() -> None:
    assert sorted(name for names in TOGETHER for name in names) == sorted(CONDITIONS)
