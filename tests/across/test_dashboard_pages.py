"""Every page below /app/PRODUCT: it opens for its owner, is nowhere for others, and takes nothing without its token."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client

from tests.across.addresses import owners, owners_with_id, samples_of
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
    made, owner = samples_of(name).make(api), browser(api)
    for path in owners(name, made):
        response = owner.get(path)
        # a file without anything in it leads back to the page that asks what to put there, and printing to the file
        back = response.status_code == 303 and response["Location"].startswith((f"/app/{name}", "/files/"))
        assert back or response.status_code in (200, ONLY_POST), (path, response.status_code)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            # what htmx fills, and what a label names, is found by its id: two of one are one too many
            twice = [id for id, count in Counter(_ID.findall(response.content)).items() if count > 1]
            assert twice == [], (path, twice)


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_anothers_page_is_nowhere(name: str, api: Api, stranger: Api) -> None:
    made, other = samples_of(name).make(api), browser(stranger)
    paths = owners_with_id(name, made)
    assert paths
    for path in paths:
        statuses = {other.get(path).status_code, other.post(path).status_code}
        assert statuses <= {404, ONLY_POST}, (path, statuses)
        assert 404 in statuses, path


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_nothing_is_taken_without_the_forms_token(name: str, api: Api) -> None:
    made, owner = samples_of(name).make(api), browser(api, strict=True)
    for path in owners(name, made):
        assert owner.post(path).status_code == 403, path


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_who_is_not_signed_in_is_asked_to(name: str, api: Api) -> None:
    for path in owners(name, samples_of(name).make(api)):
        response = Client().get(path)
        assert response.status_code in (302, ONLY_POST), path
