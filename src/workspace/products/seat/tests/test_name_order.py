"""Guests are ordered by surname, by the rules of their country and language."""

from __future__ import annotations

import pytest

from workspace.lib.name_order import Order, name_order_for, split_by_order
from workspace.products.seat.domain.pdf.posters import build_first_name_poster, build_surname_poster
from workspace.products.seat.domain.pdf.print_chart import PrintChart, PrintGuest, PrintItem
from workspace.products.seat.models import Guest
from workspace.products.seat.rules import alphabetical_names
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

A3 = (297.0, 420.0)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("order", "name", "listed"),
    [
        ("western", "Sara Domínguez Alonso", "Alonso, Sara Domínguez"),
        ("two_surnames", "Sara Domínguez Alonso", "Domínguez Alonso, Sara"),
        ("two_surnames", "Sara Domínguez", "Domínguez, Sara"),
        ("two_surnames", "José Luis Pérez", "Pérez, José Luis"),
        ("two_surnames", "María José García López", "García López, María José"),
        ("two_surnames", "María del Carmen Ruiz", "Ruiz, María del Carmen"),
        ("two_surnames", "Ana de la Cruz Gil", "de la Cruz Gil, Ana"),
        ("two_surnames", "José Ortega y Gasset", "Ortega y Gasset, José"),
        ("two_surnames", "Dr. Sara Domínguez Alonso", "Domínguez Alonso, Dr. Sara"),
        ("two_surnames", "Berg, Anna", "Berg, Anna"),
        ("two_surnames", "Cher", "Cher"),
        ("portuguese", "João Pedro Silva Santos", "Santos, João Pedro Silva"),
        ("portuguese", "Maria dos Santos", "Santos, Maria dos"),
        ("portuguese", "João Silva Filho", "Silva Filho, João"),
        ("family_first", "Nagy Anna", "Nagy Anna"),
        ("family_first", "Nguyễn Văn An", "Nguyễn Văn An"),
        ("family_first", "王小明", "王小明"),
    ],
)
def test_a_name_is_listed_by_its_surname_in_each_name_order(order: Order, name: str, listed: str) -> None:
    assert alphabetical_names.format_by_surname(name, order=order) == listed


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("country", "languages", "order"),
    [
        ("ES", ["en"], "two_surnames"),
        ("", ["es-MX"], "two_surnames"),
        ("", ["ca"], "two_surnames"),
        ("", ["gl", "en"], "two_surnames"),
        ("MX", [], "two_surnames"),
        ("BR", ["es"], "portuguese"),
        ("", ["pt"], "portuguese"),
        ("HU", [], "family_first"),
        ("", ["vi"], "family_first"),
        ("DE", ["de", "es"], "western"),
        ("", [], "western"),
    ],
)
def test_country_and_main_language_determine_the_name_order(country: str, languages: list[str], order: Order) -> None:
    assert name_order_for(country, languages) == order


@pytest.mark.any_database
def test_family_names_written_first_are_recognized() -> None:
    name = split_by_order("Nagy Anna Mária", "family_first")
    assert (name.family, name.given) == ("Nagy", "Anna Mária")


@pytest.mark.django_db
def test_a_chart_uses_the_name_order_of_the_account_unless_another_is_chosen(api: Api) -> None:
    api.run("svc_account_edit", country="ES")
    made = make_chart(api)["chart"]
    assert made["name_order"] == "two_surnames"
    add(api, made["id"], "Sara Domínguez Alonso", {"name": "Ana Ruiz Gil", "sort_name": "Zeta"})

    def sorted_names() -> list[str]:
        return list(Guest.objects.order_by("sort_key").values_list("sort_name", flat=True))

    assert sorted_names() == ["Domínguez Alonso, Sara", "Zeta"]
    edited = api.run("svc_seat_edit", event_id=made["id"], name_order="western")
    assert sorted_names() == ["Alonso, Sara Domínguez", "Zeta"], "what the owner chose stays"
    api.run("svc_undo", change_id=edited["change"]["id"])
    assert sorted_names() == ["Domínguez Alonso, Sara", "Zeta"]
    assert api.run("svc_seat_create", title="Again", copy_of=made["id"])["chart"]["name_order"] == "two_surnames"
    refused = api.refuse("svc_seat_edit", event_id=made["id"], name_order="eastern")
    assert refused["issues"][0]["path"] == "name_order"


@pytest.mark.django_db
def test_without_country_and_language_names_are_listed_in_western_order(api: Api) -> None:
    made = make_chart(api)["chart"]
    add(api, made["id"], "Anna Berg")
    assert (made["name_order"], Guest.objects.get().sort_name) == ("western", "Berg, Anna")


@pytest.mark.any_database
def test_a_poster_lists_guests_by_surname_or_by_first_name() -> None:
    guests = [PrintGuest("Sara Domínguez Alonso", "a"), PrintGuest("Ana Ruiz", "a"), PrintGuest("Zoe None", "")]
    chart = PrintChart("Boda", [PrintItem("a", "1")], guests=guests, name_order="two_surnames")
    shown = [
        (group["head"], line["name"]) for group in build_surname_poster(chart, A3)["groups"] for line in group["lines"]
    ]
    assert shown == [("D", "Domínguez Alonso, Sara"), ("R", "Ruiz, Ana")]
    first = [
        (group["head"], line["name"])
        for group in build_first_name_poster(chart, A3)["groups"]
        for line in group["lines"]
    ]
    assert first == [("A", "Ana Ruiz"), ("S", "Sara Domínguez Alonso")]
