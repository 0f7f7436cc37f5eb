"""The QR code of a card, read by an independent decoder."""

from __future__ import annotations

import pytest
from django.conf import settings

from workspace.qr_symbols.png import render_png
from workspace.testing.api import Api
from workspace.testing.code_readers import read_with_zxing, to_gray_pixels
from workspace.testing.guest_browser import Guest
from workspace.testing.samples.card import make_card

pytestmark = pytest.mark.django_db


def test_it_contains_the_url_of_the_card(api: Api) -> None:
    card = make_card(api)
    requested = f"{settings.BASE_URL}/c/{card['slug']}".upper()
    drawn = Guest().get(f"/c/{card['slug']}.svg")
    bitmap = Guest().get(f"/c/{card['slug']}.png?size=512")
    assert (drawn["Content-Type"], bitmap["Content-Type"]) == ("image/svg+xml", "image/png")
    for content in (bitmap.content, render_png(drawn.content.decode(), 512)):
        assert read_with_zxing(to_gray_pixels(content)) == [requested]
    page = Guest().get(requested.removeprefix(settings.BASE_URL.upper()))
    assert page.status_code == 200 and "Jane Doe" in page.content.decode()
    assert api.run("svc_card_get", card_id=card["id"])["views"] == 1


def test_it_is_cached_by_its_etag_and_follows_a_new_slug(api: Api) -> None:
    card = make_card(api)
    first = Guest().get(f"/c/{card['slug']}.svg")
    assert Guest().get(f"/c/{card['slug']}.svg", **{"if-none-match": first["ETag"]}).status_code == 304
    api.run("svc_card_edit", card_id=card["id"], slug="jane")
    moved = Guest().get(f"/c/{card['slug']}.svg", **{"if-none-match": first["ETag"]})
    assert (moved.status_code, moved.content != first.content) == (200, True)


def test_the_qr_code_of_a_paused_card_can_still_be_downloaded(api: Api) -> None:
    card = make_card(api)
    api.run("svc_card_edit", card_id=card["id"], live=False)
    download = Guest().get(f"/c/{card['slug']}.png?download&size=200")
    assert download["Content-Disposition"] == f'attachment; filename="card-{card["slug"]}.png"'
