"""The content security policy of a page allows its own style elements and no others."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from django.test import Client
from django.utils.html import escape

from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_HASH = re.compile(r"'(sha256-[^']+)'")


def _hashes(html: str) -> list[str]:
    digests = [hashlib.sha256(css.encode()).digest() for css in _STYLE.findall(html)]
    return [f"sha256-{base64.b64encode(digest).decode()}" for digest in digests]


def test_cached_and_unmodified_pages_have_the_same_policy(api: Api) -> None:
    path = f"/c/{api.run('svc_card_create', full_name='Olive Owner')['slug']}"
    guest = Client()
    first = guest.get(path)
    policy = first["Content-Security-Policy"]
    assert _HASH.findall(policy) == _hashes(first.content.decode()) != []
    assert guest.get(path)["Content-Security-Policy"] == policy
    unmodified = guest.get(path, headers={"if-none-match": first["ETag"]})
    assert (unmodified.status_code, unmodified["Content-Security-Policy"]) == (304, policy)


def test_another_style_has_another_policy(api: Api) -> None:
    path = f"/c/{api.run('svc_card_create', full_name='Olive Owner')['slug']}"
    before = Client().get(path)["Content-Security-Policy"]
    api.run("svc_brand_edit", colors=["#8a1538"])
    after = Client().get(path)
    assert _HASH.findall(after["Content-Security-Policy"]) == _hashes(after.content.decode())
    assert after["Content-Security-Policy"] != before


def test_frames_and_previews_allow_the_styles_that_they_contain(api: Api) -> None:
    form = api.run("svc_form_create", title="Questions")
    owner = Client()
    owner.force_login(api.account.owner)
    path = f"/f/{form['slug']}"
    for answer in (Client().get(f"{path}/embed"), owner.get(f"/app/form/{form['id']}/preview")):
        hashes = _HASH.findall(answer["Content-Security-Policy"])
        assert answer.status_code == 200 and sorted(set(hashes)) == sorted(set(_hashes(answer.content.decode())))
        assert hashes


def test_the_page_that_responds_to_a_post_allows_its_styles(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")
    guest = Client(headers={"sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin"})
    sent = guest.post(f"/c/{card['slug']}/exchange", {"name": "Gus", "email": "not an address"})
    assert (sent.status_code, "answered=" in sent["Location"]) == (303, True)
    page = guest.get(sent["Location"])
    assert _HASH.findall(page["Content-Security-Policy"]) == _hashes(page.content.decode()) != []


def test_pages_without_style_elements_allow_none(api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    page = owner.get("/app")
    assert _STYLE.findall(page.content.decode()) == [] == _HASH.findall(page["Content-Security-Policy"])


def test_a_style_that_someone_enters_is_not_allowed(api: Api) -> None:
    entered = "<style>body{display:none}</style>"
    path = f"/c/{api.run('svc_card_create', full_name='Olive Owner', bio=entered)['slug']}"
    answer = Client().get(path)
    assert escape(entered) in answer.content.decode()
    assert not set(_hashes(entered)) & set(_HASH.findall(answer["Content-Security-Policy"]))
