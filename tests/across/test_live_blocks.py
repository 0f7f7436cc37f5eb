"""A link page shows the item that its owner selected, and never a different one instead."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.test import Client

from workspace.lib import clock
from workspace.products.reviews import models
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def menu(api: Api, restaurant: str, dish: str) -> str:
    sections = [{"name": "Food", "items": [{"name": dish}]}]
    return str(api.run("svc_menu_create", restaurant_name=restaurant, sections=sections)["menu"]["id"])


def reviews(api: Api, title: str, rating: int, text: str) -> models.ReviewPage:
    page = models.ReviewPage.open(api.account, title=title)
    now = clock.now()
    models.Testimonial.objects.create(
        account=api.account,
        page=page,
        name="Ida Stern",
        text=text,
        rating=rating,
        status="approved",
        consented_at=now,
        written_at=now,
    )
    page.publication.bump_version()
    return page


@pytest.fixture
def links(api: Api) -> Any:
    return api.run("svc_links_create", title="Links")


def show(api: Api, links: Any, *things: str) -> None:
    items = [{"kind": "live", "thing": thing} for thing in things]
    api.run("svc_links_save", page_id=links["id"], items=items)


def get_page(links: Any, accepts: str = "en") -> str:
    response = Client().get(f"/l/{links['slug']}", headers={"accept-language": accepts})
    assert response.status_code == 200
    return response.content.decode()


def test_a_block_shows_the_selected_menu_and_nothing_if_that_is_not_public(api: Api, links: Any) -> None:
    menu(api, "The oldest", "Old soup")
    trattoria = menu(api, "Trattoria", "Ravioli")
    menu(api, "The newest", "Fresh salad")
    show(api, links, trattoria)
    assert "Today’s menu: Trattoria" in get_page(links) and "Ravioli" in get_page(links)
    publication = api.account.menus.get(pk=trattoria).publication
    for hide, reveal in (
        (publication.pause, publication.resume),
        (lambda: publication.set_password("a hash"), lambda: publication.set_password("")),
        (lambda: publication.ban("spam"), publication.unban),
    ):
        hide()
        html = get_page(links)
        assert "menu" not in html and "soup" not in html and "salad" not in html
        reveal()
        assert "Ravioli" in get_page(links)


def test_a_block_is_shown_in_the_language_of_its_page(api: Api, links: Any) -> None:
    soup = {"name": "Soup", "price": 7.5, "translations": {"de": {"name": "Suppe"}, "it": {"name": "Zuppa"}}}
    sections = [{"name": "Food", "items": [soup]}]
    made = api.run(
        "svc_menu_create", restaurant_name="Bar", currency="EUR", languages=["en", "de", "it"], sections=sections
    )
    show(api, links, made["menu"]["id"])
    assert "Suppe · 7,50\xa0€" in get_page(links, "de-AT") and "Soup · €7.50" in get_page(links, "en")
    assert "Soup · 7,50\xa0€" in get_page(links, "es"), "in none of its languages: as it was first written"


def test_a_block_disappears_when_its_item_expires(api: Api, links: Any) -> None:
    trattoria = menu(api, "Trattoria", "Ravioli")
    show(api, links, trattoria)
    now = clock.now().replace(microsecond=0)
    with time_machine.travel(now, tick=False) as traveller:
        api.account.menus.get(pk=trattoria).publication.set_expiry(now.replace(year=now.year + 1))
        assert "Ravioli" in get_page(links)
        traveller.move_to(now.replace(year=now.year + 1))
        assert "Ravioli" not in get_page(links)


def test_a_review_page_is_selected_by_its_address_and_shows_its_stars(api: Api, links: Any) -> None:
    room = reviews(api, "The room", 4, "Lovely room.")
    reviews(api, "The kitchen", 5, "Lovely food.")
    show(api, links, room.publication.slug)
    html = get_page(links)
    assert "Lovely room." in html and "Lovely food." not in html
    assert "★★★★☆ 4 out of 5 · Ida Stern" in html


def test_two_blocks_show_two_menus_and_link_to_each(api: Api, links: Any) -> None:
    menus = [menu(api, name, f"{name} soup") for name in ("Downstairs", "Upstairs")]
    show(api, links, *menus)
    html = get_page(links)
    assert "Downstairs soup" in html and "Upstairs soup" in html
    [row] = api.run("svc_links_pages")["items"]
    for element, id in zip(row["elements"], menus, strict=True):
        assert element["thing"] == id
        leads = Client().get(f"/l/{links['slug']}/{element['id']}")["Location"]
        assert leads.endswith(f"/m/{api.account.menus.get(pk=id).publication.slug}")
