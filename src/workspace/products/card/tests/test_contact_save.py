"""The contact file at `/c/SLUG.vcf`: headers, and which requests count as a save."""

from __future__ import annotations

from typing import Any

import pytest
import vobject

from workspace.testing.api import Api
from workspace.testing.guest_browser import Guest
from workspace.testing.samples.card import make_card

pytestmark = pytest.mark.django_db


@pytest.fixture
def card(api: Api) -> dict[str, Any]:
    return make_card(api, email="jane@example.com")


def saves(api: Api, card: dict[str, Any]) -> int:
    return int(api.run("svc_card_get", card_id=card["id"])["contact_saves"])


def test_it_has_the_type_and_name_with_which_phones_open_contacts(card: dict[str, Any]) -> None:
    response = Guest().get(f"/c/{card['slug']}.vcf")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/vcard; charset=utf-8"
    assert response["Content-Disposition"] == 'inline; filename="jane-doe-0.vcf"'
    [result] = vobject.readComponents(response.content.decode())
    assert result.email.value == "jane@example.com"
    assert result.source.value == card["vcard_url"]


def test_only_a_get_by_a_person_counts_as_a_save(api: Api, card: dict[str, Any]) -> None:
    path = f"/c/{card['slug']}.vcf"
    Guest().get(path)
    Guest().get(path.upper().replace(".VCF", ".vcf"))
    assert saves(api, card) == 2
    Guest("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)").get(path)
    Guest("curl/8.5").get(path)
    Guest().get(path, purpose="prefetch")
    for part in ("bytes=0-1", "bytes=500-", "bytes=0-99, 200-300"):
        assert Guest().get(path, range=part).status_code == 200
    assert Guest().client.head(path).status_code == 200
    assert Guest().client.post(path).status_code == 405
    assert saves(api, card) == 2
    listed = api.run("svc_card_list")["items"][0]
    assert (listed["contact_saves"], listed["views"]) == (2, 0)


def test_a_range_request_for_the_whole_file_counts_as_a_save(api: Api, card: dict[str, Any]) -> None:
    Guest().get(f"/c/{card['slug']}.vcf", range="bytes=0-")
    assert saves(api, card) == 1


def test_it_is_revalidated_and_follows_the_card(api: Api, card: dict[str, Any]) -> None:
    path = f"/c/{card['slug']}.vcf"
    first = Guest().get(path)
    assert Guest().get(path, **{"if-none-match": first["ETag"]}).status_code == 304
    api.run("svc_card_edit", card_id=card["id"], phone="+43 1 000 00 00")
    changed = Guest().get(path, **{"if-none-match": first["ETag"]})
    assert b"TEL;TYPE=CELL:+43 1 000 00 00\r\n" in changed.content


def test_an_image_is_stored_as_long_as_a_card_uses_it(api: Api, card: dict[str, Any]) -> None:
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    upload = api.run("svc_upload_file", content=picture)["upload_id"]
    shown = api.run("svc_card_edit", card_id=card["id"], photo_id=upload, logo_id=upload)
    assert (shown["photo_id"], shown["logo_id"]) == (upload, upload)
    html = Guest().get(f"/c/{card['slug']}").content.decode()
    assert html.count(f"/pictures/{upload}/384") == 2
    assert Guest().get(f"/pictures/{upload}/384").status_code == 200
    api.run("svc_card_edit", card_id=card["id"], photo_id="")
    assert Guest().get(f"/pictures/{upload}/384").status_code == 200
    api.run("svc_card_edit", card_id=card["id"], logo_id="")
    assert Guest().get(f"/pictures/{upload}/384").status_code == 404


def test_an_image_of_another_account_cannot_be_used(api: Api, stranger: Api, card: dict[str, Any]) -> None:
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    upload = stranger.run("svc_upload_file", content=picture)["upload_id"]
    body = api.refuse("svc_card_edit", card_id=card["id"], photo_id=upload, title="Half-written")
    assert body["issues"][0]["path"] == "photo_id"
    assert api.run("svc_card_get", card_id=card["id"])["title"] == ""
