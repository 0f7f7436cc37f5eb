"""Share previews: every guest page has one, with a picture that is rendered once and cached."""

from __future__ import annotations

import io
import re
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from tests.across.product_urls import guests, samples_of
from workspace.accounts.account_deletion import purge_account
from workspace.products import PRODUCT_NAMES, list_manifests
from workspace.public_site import share_preview
from workspace.publishing.models import Publication
from workspace.publishing.models.publication import share_image_key
from workspace.qr_symbols.render_pool import render_pool
from workspace.storage.files import store
from workspace.testing.api import Api
from workspace.testing.rate_limits import set_limit

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGES = [
    (name, product) for name, product in zip(PRODUCT_NAMES, list_manifests(), strict=True) if not product.fast_redirect
]
_META = re.compile(r'<meta (?:name|property)="((?:og|twitter):[\w:]+)" content="([^"]*)">')


def preview_tags(html: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _META.findall(html)}


@pytest.mark.parametrize(("name", "product"), PAGES, ids=[name for name, _ in PAGES])
def test_a_page_has_a_picture_that_is_rendered_once_cached_permanently_and_deleted_with_it(
    name: str, product: Any, api: Api, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    made = samples_of(name).create_samples(api)
    publication = Publication.objects.filter(account=api.account, kind=product.key).earliest("pk")
    guest = Client()
    page = guest.get(f"{product.public_prefix}{publication.slug}")
    first = preview_tags(page.content.decode())
    if "noindex" in page.get("X-Robots-Tag", "") + page.content.decode():
        assert set(first) <= {"og:url"}, "what is for one reader alone shows nothing of itself on the way"
        return
    assert (first["og:image:width"], first["og:image:height"], first["twitter:card"]) == (
        "1200",
        "630",
        "summary_large_image",
    )
    assert first["og:title"] and first["og:type"] and first["og:image:alt"] and first["og:site_name"] == "Corner Café"
    for path in guests(name, publication.slug, made):
        answer = guest.get(path)
        if answer.status_code == 200 and 'rel="canonical"' in (html := answer.content.decode(errors="replace")):
            assert preview_tags(html)["og:image"] == first["og:image"], path
    path = first["og:image"].removeprefix(settings.BASE_URL)
    assert path.startswith(f"{product.public_prefix}{publication.slug}.")
    answer = guest.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert answer["Cache-Control"] == share_preview.IMMUTABLE_CACHE
    assert len(answer.content) <= 100_000
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (1200, 630)
    # from now on no picture is rendered, whatever mark is in the URL
    monkeypatch.setattr(render_pool, "reserve_slot", lambda: pytest.fail("drawn again"))
    assert guest.get(path).content == answer.content
    other = guest.get(f"{product.public_prefix}{publication.slug}.{'0' * 16}.jpg")
    assert (other.content, other["Cache-Control"]) == (answer.content, "no-cache")
    publication.set_password("no hash")
    assert not guest.get(path)["Content-Type"].startswith("image/")
    publication.set_password("")
    publication.pause()
    paused = guest.get(path)
    assert (paused.status_code, "og:" in paused.content.decode()) == (404, False)
    publication.resume()
    publication.retire()
    assert guest.get(path).status_code == 410
    with django_capture_on_commit_callbacks(execute=True):
        purge_account(api.account)
    with pytest.raises(FileNotFoundError):
        store.get(share_image_key(publication.pk))


def test_the_mark_changes_with_the_preview(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")

    def picture() -> str:
        return preview_tags(Client().get(f"/c/{card['slug']}").content.decode())["og:image"]

    seen = [picture()]
    for change in (
        lambda: api.run("svc_card_edit", card_id=card["id"], full_name="زيتون ☕"),
        lambda: api.run("svc_brand_edit", colors=["#8a1538"]),
        lambda: api.run("svc_card_edit", card_id=card["id"], color="#1d4ed8"),
    ):
        change()
        assert picture() not in seen
        seen.append(picture())
    api.run("svc_card_edit", card_id=card["id"], phone="+43 1 2345")
    assert picture() == seen[-1], "what it does not show draws nothing anew"


def test_a_picture_that_cannot_be_rendered_now_can_be_requested_later(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")
    path = preview_tags(Client().get(f"/c/{card['slug']}").content.decode())["og:image"].removeprefix(settings.BASE_URL)
    set_limit(monkeypatch, "share-image", 0)
    answer = Client().get(path)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (429, "600", "no-store")
