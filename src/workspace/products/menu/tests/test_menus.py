"""Menus themselves: limits, the live flag, addresses, what becomes of pictures."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from workspace.accounts.closing import close
from workspace.accounts.models import Upload
from workspace.products.menu.tests.samples import DINNER, make, make_menu
from workspace.storage.pictures import redraw
from workspace.testing import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def upload(api: Api) -> str:
    out = io.BytesIO()
    Image.new("RGB", (20, 20), "tomato").save(out, "PNG")
    return Upload.keep(api.account, redraw(out.getvalue())).pk


def uses(id: str) -> int:
    return Upload.objects.get(pk=id).uses


def test_the_list_tells_what_the_contract_asks_for(api: Api) -> None:
    menu = make_menu(api)["menu"]
    [row] = api.run("svc_menu_list")["items"]
    assert row["public_link"].endswith(f"/m/{row['slug']}")
    assert (row["restaurant_name"], row["item_count"], row["views"], row["live"]) == ("Trattoria 0", 4, 0, True)
    assert row["id"] == menu["id"]


def test_a_free_plan_holds_one_menu_of_sixty_items_without_photos() -> None:
    api = make_api(make_account(menu="free"))
    menu = make_menu(api)["menu"]["id"]
    body = api.refuse("svc_menu_create", restaurant_name="Second")
    assert (body["error"], "1 menu" in body["message"]) == ("tool_error", True)
    many = [{"name": "Wine", "items": [{"name": f"Wine {number}"} for number in range(57)]}]
    assert api.refuse("svc_menu_import", menu_id=menu, sections=many)["error"] == "tool_error"
    api.run("svc_menu_import", menu_id=menu, sections=[{**many[0], "items": many[0]["items"][:56]}])
    section = api.run("svc_menu_items", menu_id=menu)["sections"][0]["id"]
    assert "60 items" in api.refuse("svc_menu_add_item", menu_id=menu, section_id=section, name="One more")["message"]
    item = api.run("svc_menu_items", menu_id=menu)["items"][0]["id"]
    photo = upload(api)
    assert (
        "no photos of dishes" in api.refuse("svc_menu_edit_item", menu_id=menu, item_id=item, photo_id=photo)["message"]
    )
    assert uses(photo) == 0


def test_a_failed_creation_leaves_nothing(api: Api) -> None:
    sections: list[dict[str, Any]] = [{"name": "x", "items": [{"name": "y", "photo_id": "upl_unknown"}]}]
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", slug="bistro", sections=sections)
    assert body["issues"][0]["path"] == "sections.0.items.0.photo_id"
    assert api.run("svc_menu_list")["total"] == 0
    assert api.run("svc_menu_create", restaurant_name="Bistro", slug="bistro")["menu"]["slug"] == "bistro"


def test_pictures_are_taken_into_use_and_released(api: Api) -> None:
    first, second, logo = upload(api), upload(api), upload(api)
    menu = api.run(
        "svc_menu_create",
        restaurant_name="Bistro",
        logo_id=logo,
        sections=[{"name": "x", "items": [{"name": "y", "photo_id": first}]}],
    )
    ids = {"menu_id": menu["menu"]["id"], "item_id": menu["items"][0]["id"]}
    assert (uses(first), uses(logo)) == (1, 1)
    assert api.run("svc_menu_edit_item", **ids, photo_id=second)["photo_id"] == second
    assert (uses(first), uses(second)) == (0, 1)
    assert api.run("svc_menu_edit_item", **ids, name="z")["photo_id"] == second
    api.run("svc_menu_delete_menu", menu_id=ids["menu_id"])
    assert (uses(second), uses(logo)) == (0, 0)


def test_an_account_with_pictures_on_its_menu_can_be_closed(api: Api) -> None:
    sections = [{"name": "x", "items": [{"name": "y", "photo_id": upload(api)}]}]
    link = api.run("svc_menu_create", restaurant_name="Bistro", logo_id=upload(api), sections=sections)
    close(api.account)
    assert api.client.get(f"/m/{link['menu']['slug']}").status_code == 410


def test_a_menu_is_taken_away_and_brought_back(api: Api) -> None:
    menu = make_menu(api)["menu"]
    off = api.run("svc_menu_edit_menu", menu_id=menu["id"], live=False)
    assert (off["live"], off["state"]) == (False, "paused")
    assert api.run("svc_menu_list")["items"][0]["live"] is False
    response = api.client.get(f"/m/{menu['slug']}")
    assert response.status_code == 404
    assert b"Back soon" in response.content and b"Tomato soup" not in response.content
    assert api.run("svc_menu_edit_menu", menu_id=menu["id"], live=True)["live"] is True
    assert b"Tomato soup" in api.client.get(f"/m/{menu['slug']}").content


def test_another_slug_leaves_the_old_one_working(api: Api) -> None:
    menu = make_menu(api)["menu"]
    new = api.run("svc_menu_edit_menu", menu_id=menu["id"], slug="Da-Gino")
    assert (new["slug"], new["slugs"]) == ("da-gino", ["da-gino", menu["slug"]])
    for slug in ("da-gino", "DA-GINO", menu["slug"]):
        assert api.client.get(f"/m/{slug}").status_code == 200
    taken = api.refuse("svc_menu_create", restaurant_name="Other", slug="da-gino")
    assert taken["issues"][0]["path"] == "slug"


def test_a_menu_may_be_deleted_and_its_address_says_so(api: Api) -> None:
    made = make(api)
    slug = api.run("svc_menu_list")["items"][0]["slug"]
    api.run("svc_menu_delete_menu", menu_id=made["menu"])
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
def test_wrong_hours_are_named_at_their_place(hours: Any, path: str, api: Api) -> None:
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", hours=hours)
    assert body["issues"][0]["path"] == path


def test_a_section_is_made_and_changed(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    lunch = [{"days": ["mon"], "from": "11:30", "until": "14:30"}]
    made = api.run("svc_menu_add_section", menu_id=menu, name="Lunch", hours=lunch)
    assert (made["hours"], made["hours_text"]) == (lunch, "Mon 11:30–14:30")
    ids = {"menu_id": menu, "section_id": made["id"]}
    changed = api.run("svc_menu_edit_section", **ids, name="Midday", description="Daily", hours=[], hidden=True)
    assert (changed["name"], changed["description"], changed["hours"], changed["hidden"]) == (
        "Midday",
        "Daily",
        [],
        True,
    )
    assert api.run("svc_menu_edit_section", **ids, description="")["name"] == "Midday"
    assert DINNER[0]["name"] == api.run("svc_menu_items", menu_id=menu)["sections"][0]["name"]
