"""Etags modified by devices and proxies still avoid a second download."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def slug(api: Api) -> str:
    made: str = api.run("svc_card_create", full_name="Ada Byron")["slug"]
    return made


@pytest.mark.parametrize("end", ["", ".svg", ".png", ".vcf"])
def test_weak_etags_lists_and_wildcards_are_recognized(end: str, slug: str) -> None:
    guest = Client(headers={"user-agent": BROWSER})
    path = f"/c/{slug}{end}"
    first = guest.get(path)
    tag = first["ETag"]
    assert first.status_code == 200 and first.content
    for known in (tag, f"W/{tag}", f'"one", W/{tag}, "two"', "*"):
        again = guest.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag), known
    for unknown in ('"one", "two"', tag.strip('"'), tag.upper().replace('"', '"X')):
        assert guest.get(path, headers={"if-none-match": unknown}).status_code == 200, unknown


def test_after_a_change_the_old_etag_is_not_valid(api: Api, slug: str) -> None:
    guest = Client(headers={"user-agent": BROWSER})
    tag = guest.get(f"/c/{slug}")["ETag"]
    (card,) = api.run("svc_card_list")["items"]
    api.run("svc_card_edit", card_id=card["id"], full_name="Ada Lovelace")
    assert b"Lovelace" in guest.get(f"/c/{slug}", headers={"if-none-match": f"W/{tag}"}).content
