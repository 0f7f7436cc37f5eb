"""Dashboard pages of menus: forms that call the tools and work without scripts."""

from __future__ import annotations

import io
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from workspace.lib.money import format_amount
from workspace.products.menu.models import Item, Menu, Section
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.menu import create_samples

pytestmark = pytest.mark.django_db


class Owner:
    """A signed-in owner with a menu of two sections."""

    def __init__(self, api: Api) -> None:
        self.api, self.made, self.client = api, create_samples(api), Client()
        self.client.force_login(api.account.owner)
        self.home = f"/app/menu/{self.made['menu']}"
        self.item_url = f"{self.home}/items/{self.made['item']}"

    def fields(self, path: str) -> dict[str, Any]:
        """Return the fields that the page's first large form would send unchanged."""
        html = self.client.get(path).content.decode()
        form = next(part for part in html.split("<form")[1:] if "_once" in part).partition("</form>")[0]
        values: dict[str, Any] = {}
        for tag in re.findall(r"<input[^>]*>", form):
            result = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if "name" not in result or result.get("type") == "file":
                continue
            if result.get("type") in ("checkbox", "radio") and " checked" not in tag:
                continue
            values.setdefault(result["name"], []).append(unescape(result.get("value", "on")))
        for name, text in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>\n?(.*?)</textarea>', form, re.DOTALL):
            values[name] = [unescape(text)]
        for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
            values[name] = re.findall(r'value="([^"]*)" selected', options)
        return values

    def send(self, path: str, **changed: Any) -> Any:
        fields = {key.replace("__", "."): value for key, value in changed.items()}
        return self.client.post(path, {**self.fields(path), **fields})

    @property
    def item(self) -> Item:
        return Item.objects.get(pk=self.made["item"])


def picture() -> SimpleUploadedFile:
    Image.new("RGB", (30, 30), "olive").save(out := io.BytesIO(), "PNG")
    return SimpleUploadedFile("picture.png", out.getvalue())


@pytest.fixture
def owner(api: Api) -> Owner:
    return Owner(api)


def test_every_page_opens(owner: Owner) -> None:
    section = f"{owner.home}/sections/{owner.made['section']}"
    below = ["", "/look", "/share", "/results", "/results?days=7", "/results?days=x", "/settings", "/delete", "/check"]
    pages = ["/app/menu", "/app/menu/new", *(f"{owner.home}{tail}" for tail in below)]
    pages += [section, f"{section}/new", f"{section}/delete", owner.item_url, f"{owner.item_url}/delete"]
    for path in pages:
        assert owner.client.get(path).status_code == 200, path
    no_parts = (f"{owner.made['menu']}/{part}/no" for part in ("items", "sections"))
    for path in ("nothing", "%00", "x" + "y" * 99, *no_parts):
        assert owner.client.get(f"/app/menu/{path}").status_code == 404, path
    assert Client().get(owner.home).status_code == 302


def test_another_accounts_menu_is_not_found(owner: Owner, stranger: Api) -> None:
    other = Client()
    other.force_login(stranger.account.owner)
    assert other.get(owner.home).status_code == 404
    assert other.post(f"{owner.item_url}/switch", {"sold_out": "true"}).status_code == 404
    assert other.post(f"{owner.home}/delete").status_code == 404
    assert not owner.item.marked_sold_out


def test_the_sold_out_switch_works_with_and_without_scripts(owner: Owner) -> None:
    switch = f"{owner.item_url}/switch"
    plain = owner.client.post(switch, {"sold_out": "true"})
    assert (plain.status_code, plain["Location"]) == (303, f"{owner.home}#{owner.made['item']}")
    assert owner.item.marked_sold_out
    part = owner.client.post(switch, {"sold_out": "false"}, headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith("<li") and b"<html" not in part.content
    assert not owner.item.marked_sold_out


def test_saving_an_unchanged_item_changes_nothing(owner: Owner) -> None:
    pizza = Item.objects.get(name="Margherita")
    before = Item.objects.filter(pk=pizza.pk).values().get()
    version = Menu.objects.get().publication.version
    assert owner.send(f"{owner.home}/items/{pizza.pk}").status_code == 303
    assert Item.objects.filter(pk=pizza.pk).values().get() == before
    assert Menu.objects.get().publication.version == version


def test_an_item_is_edited_as_a_whole(owner: Owner) -> None:
    answer = owner.send(
        owner.item_url,
        name="Gazpacho",
        price="7.5",
        price_note="",
        dietary_tags=["vegan", "gluten_free"],
        allergens__celery="not_declared",
        allergens__milk="contains",
        variants__0__name="Cup",
        variants__0__price="4.20",
        variants__1__name="",
    )
    assert answer.status_code == 303
    item = owner.item
    assert (item.name, item.price_minor, item.tags) == ("Gazpacho", 750, ["vegan", "gluten_free"])
    assert item.allergens == {"milk": "contains", "nuts": "may_contain"}
    assert item.variants == [{"name": "Cup", "minor": 420}]
    page = owner.client.get(owner.home).content.decode()
    assert "Check allergens" in page and "is tagged “Vegan”, but its allergens include milk" in page


def test_an_invalid_form_preserves_the_input_and_shows_errors(owner: Owner) -> None:
    answer = owner.send(owner.item_url, name="", price="12.3456", variants__0__name="Cup", variants__0__price="4,2")
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Use at most 2 decimals" in html and 'value="12.3456"' in html and 'value="4.20"' in html
    assert (owner.item.name, owner.item.price_minor) == ("Tomato soup", 650)


@pytest.mark.parametrize(
    ("typed", "minor"),
    [
        ("1,20", 120),
        ("1.20", 120),
        ("1.234,50", 123450),
        ("1,234.50", 123450),
        ("1 234,50", 123450),
        ("1\u202f234,5", 123450),
        ("1'234.50", 123450),
        ("€ 12,-", 1200),
        ("12 EUR", 1200),
        ("١٢٫٥٠", 1250),
    ],
)
def test_a_price_is_parsed_as_people_write_it_and_confirmed(typed: str, minor: int, owner: Owner) -> None:
    owner.api.run("svc_menu_edit", menu_id=owner.made["menu"], currency="EUR")
    answer = owner.send(owner.item_url, price=typed, variants__0__name="Cup", variants__0__price=typed)
    assert answer.status_code == 303
    assert (owner.item.price_minor, owner.item.variants) == (minor, [{"name": "Cup", "minor": minor}])
    assert f"saved at {format_amount(minor, 'EUR')}." in owner.client.get(owner.home).content.decode()


def test_an_ambiguous_price_becomes_a_question_and_changes_nothing(owner: Owner) -> None:
    answer = owner.send(owner.item_url, price="1,234", variants__0__name="Cup", variants__0__price="2.500")
    html = answer.content.decode()
    assert answer.status_code == 422 and 'value="1,234"' in html
    assert "Do you mean $1.23 or $1,234.00? Enter 1.23 or 1234" in html and "Do you mean $2.50 or $2,500.00?" in html
    assert (owner.item.price_minor, owner.item.variants) == (650, [])


def test_prices_with_three_decimals_are_typed_and_shown(owner: Owner) -> None:
    owner.api.run("svc_menu_edit", menu_id=owner.made["menu"], currency="KWD")
    assert owner.item.price_minor == 6500
    assert 'value="6.500"' in owner.client.get(owner.item_url).content.decode()
    assert owner.send(owner.item_url, price="1.250").status_code == 303
    assert owner.item.price_minor == 1250
    assert "KWD\u00a01.250" in owner.client.get(owner.home).content.decode()
    assert (
        "Do you mean KWD\u00a01.250 or KWD\u00a01,250.000?"
        in owner.send(owner.item_url, price="1,250").content.decode()
    )


def test_clearing_a_price_removes_it(owner: Owner) -> None:
    assert owner.send(owner.item_url, price="").status_code == 303
    assert owner.item.price_minor is None


def test_a_photo_is_uploaded_with_the_form_and_removed_by_a_checkbox(owner: Owner) -> None:
    assert owner.send(owner.item_url, photo=picture()).status_code == 303
    assert owner.item.photo is not None and owner.item.photo.use_count == 1
    bad = SimpleUploadedFile("soup.png", b"<svg onload=alert(1)>")
    refused = owner.send(owner.item_url, photo=bad)
    assert refused.status_code == 422 and b"Choose a PNG, JPEG" in refused.content
    assert owner.send(owner.item_url, photo_id=[owner.item.photo_id, ""]).status_code == 303
    assert owner.item.photo is None


def test_a_menu_is_created_and_filled(owner: Owner) -> None:
    made = owner.send("/app/menu/new", restaurant_name="Da Gino", currency="CHF", theme="olive")
    home = made["Location"].removesuffix("?made")
    menu = Menu.objects.get(pk=home.rpartition("/")[2])
    assert (menu.restaurant_name, menu.currency, menu.theme) == ("Da Gino", "CHF", "olive")
    section = owner.send(home, name="Antipasti")
    assert section.status_code == 405  # the form posts to another URL
    owner.client.post(f"{home}/sections", {**owner.fields(home), "name": "Antipasti"})
    antipasti = Section.objects.get(menu=menu)
    new = f"{home}/sections/{antipasti.pk}/new"
    assert owner.send(new, name="Bruschetta", price="8", _then="more")["Location"] == new
    assert Item.objects.get(section=antipasti).price_minor == 800
    owner.client.post(f"{home}/items/{Item.objects.get(section=antipasti).pk}/delete")
    assert not antipasti.items.exists() and menu.sections.exists()
    owner.client.post(f"{home}/sections/{antipasti.pk}/delete")
    assert not menu.sections.exists()


def test_hours_are_set_and_cleared(owner: Owner) -> None:
    section = f"{owner.home}/sections/{owner.made['section']}"
    fields = {"hours.0.days": ["mon", "fri"], "hours.0.from": "11:30", "hours.0.until": "14:30"}
    owner.client.post(section, {**owner.fields(section), **fields})
    stored = Section.objects.get(pk=owner.made["section"]).hours
    assert stored == [{"days": ["mon", "fri"], "from": "11:30", "until": "14:30"}]
    owner.send(section)
    assert Section.objects.get(pk=owner.made["section"]).hours == stored
    empty = {"hours.0.days": [], "hours.0.from": "", "hours.0.until": ""}
    owner.client.post(section, {**owner.fields(section), **empty})
    assert Section.objects.get(pk=owner.made["section"]).hours == []


def test_settings_change_only_the_edited_fields(owner: Owner) -> None:
    settings = f"{owner.home}/settings"
    before = Menu.objects.filter().values().get()
    owner.send(settings)
    assert Menu.objects.filter().values().get() == before
    hours = {"hours__0__days": ["mon"], "hours__0__from": "11:30", "hours__0__until": "14:30"}
    owner.send(settings, sold_out_resets_at="05:00", currency="KWD", slug="da-gino", **hours)
    owner.send(settings)
    menu = Menu.objects.get()
    assert (menu.sold_out_resets_at, menu.currency, menu.publication.slug) == ("05:00", "KWD", "da-gino")
    assert menu.hours == [{"days": ["mon"], "from": "11:30", "until": "14:30"}]
    owner.send(settings, sold_out_resets_at="")
    assert Menu.objects.get().sold_out_resets_at == ""


def test_a_logo_is_preserved_when_another_field_is_saved(owner: Owner) -> None:
    look = f"{owner.home}/look"
    assert owner.send(look, logo=picture()).status_code == 303
    [logo] = owner.fields(look)["logo_id"]
    owner.send(look, theme="plum")
    assert (Menu.objects.get().theme, Menu.objects.get().logo_id) == ("plum", logo)


def test_items_and_sections_are_ordered_by_arrows_and_by_dragging(owner: Owner) -> None:
    made = owner.made

    def items() -> list[str]:
        return list(Item.objects.filter(section=made["section"]).values_list("pk", flat=True))

    owner.client.post(f"{owner.item_url}/move", {"to": "down"})
    assert items() == [made["other_item"], made["item"]]
    owner.client.post(f"{owner.item_url}/move", {"to": "down"})  # it is at the end already
    owner.client.post(f"{owner.item_url}/move", {"to": "up"})
    assert items() == [made["item"], made["other_item"]]
    dragged = {"section_id": made["section"], "id": [made["other_item"], made["item"]]}
    assert owner.client.post(f"{owner.home}/order", dragged).status_code == 204
    assert items() == [made["other_item"], made["item"]]
    owner.client.post(f"{owner.home}/sections/{made['section']}/move", {"to": "down"})
    assert list(Section.objects.values_list("pk", flat=True)) == [made["other_section"], made["section"]]
    owner.client.post(f"{owner.home}/order", {"id": [made["section"], made["other_section"]]})
    assert list(Section.objects.values_list("pk", flat=True)) == [made["section"], made["other_section"]]
    stale = owner.client.post(f"{owner.home}/order", {"id": [made["section"]]})
    assert stale.status_code == 303
    owner.client.post(f"{owner.item_url}/move", {"section_id": made["other_section"]})
    assert owner.item.section_id == made["other_section"]


def test_a_reached_plan_limit_is_shown_on_the_page(db: None) -> None:
    owner = Owner(make_api(make_account(menu="free")))
    assert b"1 of 1 used on your plan" in owner.client.get("/app/menu").content
    assert b"Plan limit reached" in owner.client.get("/app/menu/new").content  # before the form is filled in
    refused = owner.client.post("/app/menu/new", {"restaurant_name": "Second"})
    assert refused.status_code == 422 and "You’ve reached your plan’s limit of 1 menu".encode() in refused.content
    assert b"ask the administrator of this service" in owner.client.get(owner.item_url).content


def test_the_editor_runs_the_same_number_of_queries_for_menus_of_any_length(owner: Owner) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            owner.client.get(owner.home)
        return len(queries)

    def longer(sections: int) -> None:
        more = [{"section": f"S{number}", "name": name} for number in range(sections) for name in "xy"]
        owner.api.run("svc_menu_save_items", menu_id=owner.made["menu"], items=more)

    longer(1)
    count()
    before = count()
    longer(5)
    assert count() == before
