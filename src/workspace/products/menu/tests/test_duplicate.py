"""Duplication of a menu: all of its content is copied, but no data from its guests."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.accounts.models import Upload
from workspace.analytics.visit_writer import record_visit
from workspace.publishing.models import Publication
from workspace.testing.api import Api
from workspace.testing.pictures import picture as small_picture
from workspace.testing.publications import build_guest
from workspace.testing.samples.menu import LUNCH, make_menu, save_item

pytestmark = pytest.mark.django_db
ITS_OWN = {
    "id", "section_id", "public_url", "slug", "slugs", "svg_url", "png_url", "print_url", "created_at", "updated_at",
    "change", "views",
}  # fmt: skip


def what_it_says(result: Any) -> Any:
    if isinstance(result, dict):
        return {name: what_it_says(value) for name, value in result.items() if name not in ITS_OWN}
    return [what_it_says(item) for item in result] if isinstance(result, list) else result


def test_a_duplicate_has_the_same_content_at_a_new_address(api: Api) -> None:
    picture = api.run("svc_upload_file", content=small_picture())["upload_id"]
    made = make_menu(api)
    menu, soup = made["menu"]["id"], made["items"][0]["id"]
    api.run("svc_menu_edit", menu_id=menu, languages=["en", "de"], translations={"de": {"intro": "Seit 1974"}})
    save_item(api, menu, id=soup, translations={"de": {"name": "Suppe"}})
    save_item(api, menu, id=soup, photo_id=picture, sold_out_until="2037-01-01T06:00", allergens_checked=True)
    api.run("svc_menu_save_sections", menu_id=menu, items=[{"id": made["sections"][0]["id"], "hours": LUNCH}])
    api.run("svc_menu_edit", menu_id=menu, intro="Since 1974", theme="plum", slug="gino", logo_id=picture, hours=LUNCH)
    record_visit(Publication.objects.get(menu=menu).pk, "view", build_guest())
    before = api.run("svc_menu_items", menu_id=menu)
    copy = api.run("svc_menu_create", restaurant_name=before["menu"]["restaurant_name"], copy_of="gino")
    assert what_it_says(copy) == what_it_says(before)
    assert copy["menu"]["slug"] != "gino" and copy["menu"]["views"] == 0 and before["menu"]["views"] == 1
    assert not {item["id"] for item in copy["items"]} & {item["id"] for item in before["items"]}
    assert Upload.objects.get(pk=picture).use_count == 4, "shared, and counted for each"
    api.run("svc_undo")
    assert Upload.objects.get(pk=picture).use_count == 2 and api.run("svc_menu_list")["total"] == 1


def test_given_arguments_replace_the_content_of_the_original(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    other = api.run(
        "svc_menu_create",
        restaurant_name="Bar",
        copy_of=menu,
        currency="EUR",
        sections=[{"name": "Drinks"}],
        live=False,
    )
    assert [section["name"] for section in other["sections"]] == ["Drinks"]
    assert (other["menu"]["currency"], other["menu"]["live"]) == ("EUR", False)
    refused = api.refuse("svc_menu_create", restaurant_name="Tokyo", copy_of=menu, currency="JPY")
    assert "sections.0.items.0.price" in str(refused)
