"""Names as in address books, written in any order."""

from __future__ import annotations

from typing import Any

import pytest
import vobject

from workspace.lib.person_name import PersonName, initials, parse_name
from workspace.products.card.domain.contact_file import render_contact_file
from workspace.products.card.models import Card
from workspace.testing.api import Api

PARTS = ("given_name", "family_name", "name_prefix", "name_suffix")


@pytest.mark.parametrize(
    ("full_name", "name", "letters"),
    [
        ("Jane Doe", PersonName("Jane", "Doe"), "JD"),
        ("Mary Jane Doe", PersonName("Mary Jane", "Doe"), "MD"),
        ("Smith, John", PersonName("John", "Smith"), "JS"),
        ("Smith, John, Jr.", PersonName("John", "Smith", "", "Jr."), "JS"),
        ("John Smith Jr.", PersonName("John", "Smith", "", "Jr."), "JS"),
        ("Dr. med. Anna Weber", PersonName("Anna", "Weber", "Dr. med."), "AW"),
        ("Jane Doe, PhD", PersonName("Jane", "Doe", "", "PhD"), "JD"),
        ("Zoë van Beek", PersonName("Zoë", "van Beek"), "ZB"),
        ("Ana de la Cruz", PersonName("Ana", "de la Cruz"), "AC"),
        ("José  García", PersonName("José", "García"), "JG"),
        ("Cher", PersonName("Cher"), "C"),
        ("Müller-Lüdenscheidt", PersonName("Müller-Lüdenscheidt"), "M"),
        ("王 小明", PersonName("小明", "王"), "王"),
        ("山田 太郎", PersonName("太郎", "山田"), "山"),
        ("김민준", PersonName("민준", "김"), "김"),
        ("محمد بن سلمان", PersonName("محمد", "بن سلمان"), "م"),
        ("Dr.", PersonName("Dr."), "D"),
    ],
)
def test_a_name_is_split_and_has_initials(full_name: str, name: PersonName, letters: str) -> None:
    assert parse_name(full_name) == name
    assert initials(full_name, name) == letters


def parts(card: dict[str, Any]) -> tuple[str, ...]:
    return tuple(card[part] for part in PARTS)


def filed() -> tuple[str, ...]:
    """Return the parts of the name as an independent parser reads them from the contact file."""
    [result] = vobject.readComponents(render_contact_file(Card.objects.get()).decode())
    name = result.n.value
    return (name.given, name.family, name.prefix, name.suffix)


@pytest.mark.django_db
def test_a_corrected_part_leaves_the_others_and_a_new_name_is_split_again(api: Api) -> None:
    id = api.run("svc_card_create", full_name="Dr. Ana Maria Cruz")["id"]

    def edit(**fields: str) -> tuple[str, ...]:
        return parts(api.run("svc_card_edit", card_id=id, **fields))

    assert edit(title="Baker") == filed() == ("Ana Maria", "Cruz", "Dr.", "")
    assert edit(family_name="Maria Cruz", given_name="Ana") == filed() == ("Ana", "Maria Cruz", "Dr.", "")
    assert edit(name_suffix="MBA") == ("Ana", "Maria Cruz", "Dr.", "MBA")
    assert edit(name_prefix="") == filed() == ("Ana", "Maria Cruz", "", "MBA")
    assert edit(full_name="Dr. Ana Maria Cruz") == ("Ana", "Maria Cruz", "", "MBA"), "it is the same name"
    assert edit(full_name="Ruiz, Ana") == ("Ana", "Ruiz", "", "")
    assert edit(name_suffix="Jr.") == ("Ana", "Ruiz", "", "Jr.")
    assert edit(given_name="", family_name="") == filed() == ("Ana", "Ruiz", "", "")
    api.run("svc_undo")
    assert filed() == ("Ana", "Ruiz", "", "Jr.")


@pytest.mark.django_db
def test_a_new_card_may_have_a_corrected_part(api: Api) -> None:
    items = [{"full_name": "Ana de la Cruz Ruiz", "family_name": "Cruz Ruiz", "given_name": "Ana de la"}]
    [card] = api.run("svc_card_save", items=items)["items"]
    assert parts(card) == ("Ana de la", "Cruz Ruiz", "", "")
    [card] = api.run("svc_card_save", items=[{"full_name": "Eva Huber", "name_prefix": "Mag."}])["items"]
    assert parts(card) == ("Eva", "Huber", "Mag.", "")


@pytest.mark.django_db
def test_the_name_of_a_business_is_not_split(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Acme, Inc.", company="Acme, Inc.")
    assert parts(card) == filed() == ("Acme, Inc.", "", "", "")
