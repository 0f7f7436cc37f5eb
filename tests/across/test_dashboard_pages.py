"""Every page below /app/PRODUCT: it opens for its owner, is not found for others, and requires the CSRF token."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client

from tests.across.product_urls import owners, owners_with_id, samples_of
from workspace.products import PRODUCT_NAMES
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ONLY_POST = 405
_ID = re.compile(rb'<[a-z][^<>]*? id="([^"]+)"')


def browser(api: Api, *, strict: bool = False) -> Client:
    client = Client(enforce_csrf_checks=strict)
    client.force_login(api.account.owner)
    return client


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_every_page_opens_for_its_owner(name: str, api: Api) -> None:
    made, owner = samples_of(name).create_samples(api), browser(api)
    for path in owners(name, made):
        response = owner.get(path)
        # an empty file redirects to the page for its content, and printing redirects to the file
        back = response.status_code == 303 and response["Location"].startswith((f"/app/{name}", "/files/"))
        assert back or response.status_code in (200, ONLY_POST), (path, response.status_code)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            # htmx targets and labels refer to ids, so they must be unique
            twice = [id for id, count in Counter(_ID.findall(response.content)).items() if count > 1]
            assert twice == [], (path, twice)


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_another_accounts_page_is_not_found(name: str, api: Api, stranger: Api) -> None:
    made, other = samples_of(name).create_samples(api), browser(stranger)
    paths = owners_with_id(name, made)
    assert paths
    for path in paths:
        statuses = {other.get(path).status_code, other.post(path).status_code}
        assert statuses <= {404, ONLY_POST}, (path, statuses)
        assert 404 in statuses, path


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_nothing_is_accepted_without_the_csrf_token(name: str, api: Api) -> None:
    made, owner = samples_of(name).create_samples(api), browser(api, strict=True)
    for path in owners(name, made):
        assert owner.post(path).status_code == 403, path


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_a_signed_out_visitor_is_redirected_to_sign_in(name: str, api: Api) -> None:
    for path in owners(name, samples_of(name).create_samples(api)):
        response = Client().get(path)
        assert response.status_code in (302, ONLY_POST), path
