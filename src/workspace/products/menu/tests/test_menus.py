"""Menus: limits, the live state, addresses, and pictures."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from PIL import Image

from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Upload
from workspace.lib import clock
from workspace.products.menu.models import Item
from workspace.publishing.models import SoftDeleted
from workspace.storage.files.images import normalize_image
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.menu import DINNER, create_samples, make_menu, save_item

pytestmark = pytest.mark.django_db


def upload(api: Api) -> str:
    out = io.BytesIO()
    Image.new("RGB", (20, 20), "tomato").save(out, "PNG")
    return Upload.create_image(api.account, normalize_image(out.getvalue())).pk


def uses(id: str) -> int:
    return Upload.objects.get(pk=id).use_count


def test_the_list_contains_the_fields_of_the_contract(api: Api) -> None:
    menu = make_menu(api)["menu"]
    [row] = api.run("svc_menu_list")["items"]
    assert row["public_url"].endswith(f"/m/{row['slug']}")
    assert (row["restaurant_name"], row["item_count"], row["views"], row["live"]) == ("Trattoria 0", 4, 0, True)
    assert row["id"] == menu["id"]


def test_a_free_plan_allows_one_menu_of_sixty_items_without_photos() -> None:
    api = make_api(make_account(menu="free"))
    menu = make_menu(api)["menu"]["id"]
    body = api.refuse("svc_menu_create", restaurant_name="Second")
    assert (body["error"], "1 menu" in body["message"]) == ("tool_error", True)
    many = [{"section": "Wine", "name": f"Wine {number}"} for number in range(57)]
    assert api.refuse("svc_menu_save_items", menu_id=menu, items=many)["error"] == "tool_error"
    api.run("svc_menu_save_items", menu_id=menu, items=many[:56])
    more = [{"section": "Wine", "name": "One more"}]
    assert "60 items" in api.refuse("svc_menu_save_items", menu_id=menu, items=more)["message"]
    item = api.run("svc_menu_items", menu_id=menu)["items"][0]["id"]
    photo = upload(api)
    refused = api.refuse("svc_menu_save_items", menu_id=menu, items=[{"id": item, "photo_id": photo}])
    assert "doesn’t include photos of dishes" in refused["message"]
    assert uses(photo) == 0


def test_a_failed_creation_leaves_nothing(api: Api) -> None:
    sections: list[dict[str, Any]] = [{"name": "x", "items": [{"name": "y", "photo_id": "upl_unknown"}]}]
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", slug="bistro", sections=sections)
    assert body["issues"][0]["path"] == "sections.0.items.0.photo_id"
    assert api.run("svc_menu_list")["total"] == 0
    assert api.run("svc_menu_create", restaurant_name="Bistro", slug="bistro")["menu"]["slug"] == "bistro"


def test_pictures_are_claimed_and_released(api: Api) -> None:
    first, second, logo = upload(api), upload(api), upload(api)
    made = api.run(
        "svc_menu_create",
        restaurant_name="Bistro",
        logo_id=logo,
        sections=[{"name": "x", "items": [{"name": "y", "photo_id": first}]}],
    )
    menu, item = made["menu"]["id"], made["items"][0]["id"]
    assert (uses(first), uses(logo)) == (1, 1)
    assert save_item(api, menu, id=item, photo_id=second)["photo_id"] == second
    assert (uses(first), uses(second)) == (0, 1)
    assert save_item(api, menu, id=item, name="z")["photo_id"] == second


def test_deleted_items_keep_their_pictures_until_they_are_purged(api: Api, time_machine: Any) -> None:
    dish, other, logo = upload(api), upload(api), upload(api)
    sections = [{"name": "x", "items": [{"name": "y", "photo_id": dish}, {"name": "z", "photo_id": other}]}]
    made = api.run("svc_menu_create", restaurant_name="Bistro", logo_id=logo, sections=sections)
    api.run("svc_menu_delete", ids=[made["items"][0]["id"]])
    api.run("svc_menu_delete", ids=[made["menu"]["id"]])
    assert (uses(dish), uses(other), uses(logo)) == (1, 1, 1)
    time_machine.move_to(clock.now() + timedelta(days=31))
    SoftDeleted.purge_deleted()
    assert (uses(dish), uses(other), uses(logo)) == (0, 0, 0)
    assert not Item._base_manager.exists()


def test_an_account_with_pictures_on_its_menu_can_be_closed(api: Api) -> None:
    sections = [{"name": "x", "items": [{"name": "y", "photo_id": upload(api)}]}]
    link = api.run("svc_menu_create", restaurant_name="Bistro", logo_id=upload(api), sections=sections)
    purge_account(api.account)
    assert api.client.get(f"/m/{link['menu']['slug']}").status_code == 410


def test_a_menu_can_be_paused_and_made_live_again(api: Api) -> None:
    menu = make_menu(api)["menu"]
    off = api.run("svc_menu_edit", menu_id=menu["id"], live=False)
    assert (off["live"], off["state"]) == (False, "paused")
    assert api.run("svc_menu_list")["items"][0]["live"] is False
    response = api.client.get(f"/m/{menu['slug']}")
    assert response.status_code == 404
    assert b"Back soon" in response.content and b"Tomato soup" not in response.content
    assert api.run("svc_menu_edit", menu_id=menu["id"], live=True)["live"] is True
    assert b"Tomato soup" in api.client.get(f"/m/{menu['slug']}").content


def test_the_old_slug_works_after_a_change(api: Api) -> None:
    menu = make_menu(api)["menu"]
    new = api.run("svc_menu_edit", menu_id=menu["id"], slug="Da-Gino")
    assert (new["slug"], new["slugs"]) == ("da-gino", ["da-gino", menu["slug"]])
    for slug in ("da-gino", "DA-GINO", menu["slug"]):
        assert api.client.get(f"/m/{slug}").status_code == 200
    taken = api.refuse("svc_menu_create", restaurant_name="Other", slug="da-gino")
    assert taken["issues"][0]["path"] == "slug"


def test_a_deleted_menus_address_returns_gone(api: Api) -> None:
    made = create_samples(api)
    slug = api.run("svc_menu_list")["items"][0]["slug"]
    api.run("svc_menu_delete", ids=[made["menu"]])
    for path in (f"/m/{slug}", f"/m/{slug}/print", f"/m/{slug}.svg"):
        assert api.client.get(path).status_code == 410


@pytest.mark.parametrize(
    ("hours", "path"),
    [
        ([{"from": "25:00", "until": "10:00"}], "hours.0.from"),
        ([{"from": "10:00", "until": "9"}], "hours.0.until"),
        ([{"days": ["monday"], "from": "10:00", "until": "12:00"}], "hours.0.days.0"),
        ([{"until": "12:00"}], "hours.0.from"),
        ("daily", "hours"),
    ],
)
def test_invalid_hours_are_reported_at_their_path(hours: Any, path: str, api: Api) -> None:
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", hours=hours)
    assert body["issues"][0]["path"] == path


def test_a_section_is_created_and_changed(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]

    def save(**fields: Any) -> Any:
        [row] = api.run("svc_menu_save_sections", menu_id=menu, items=[fields])["items"]
        return row

    lunch = [{"days": ["mon"], "from": "11:30", "until": "14:30"}]
    made = save(name="Lunch", hours=lunch)
    assert (made["hours"], made["hours_text"]) == (lunch, "Mon 11:30–14:30")
    changed = save(id=made["id"], name="Midday", description="Daily", hours=[], hidden=True)
    assert [changed[name] for name in ("name", "description", "hours", "hidden")] == ["Midday", "Daily", [], True]
    assert save(id=made["id"], description="")["name"] == "Midday"
    assert DINNER[0]["name"] == api.run("svc_menu_items", menu_id=menu)["sections"][0]["name"]


def test_a_menu_can_have_a_password_and_an_expiry(api: Api) -> None:
    menu = make_menu(api)["menu"]
    now = api.run("svc_menu_edit", menu_id=menu["id"], password="sesame", expires_at="2037-01-01T00:00:00Z")
    assert (now["has_password"], now["expires_at"]) == (True, "2037-01-01T00:00:00Z")
    assert b"Tomato soup" not in api.client.get(f"/m/{menu['slug']}").content
    now = api.run("svc_menu_edit", menu_id=menu["id"], password="", expires_at="")
    assert (now["has_password"], now["expires_at"]) == (False, None)


def test_the_list_contains_the_limits_of_the_plan() -> None:
    api = make_api(make_account(menu="free"))
    make_menu(api)
    _, body = api.get("menu/list")
    assert body["data"]["limits"] == {"menus": 1, "sections": 20, "items": 60, "photos": False}
    assert "Your plan includes 1 menu, each with 20 sections and 60 items, without photos." in body["text"]
