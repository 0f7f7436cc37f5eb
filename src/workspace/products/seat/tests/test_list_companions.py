"""Companions, open places and headings of guest lists as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.seat.tests.samples import make_chart
from workspace.testing import Api

pytestmark = pytest.mark.django_db

GERMAN = """Gast;Begleitung;Zusage
Müller, Hans-Jürgen;Müller, Renate;ja
Fam. Schäfer (4 Pers.);;ja
Großmann, Björn;;nein
von der Heide, Ursula;+1;ja
Yılmaz, Ayşe;(offen);ja
Pfarrer Dr. Anton Huber;;ja
;Summe;
"""


@pytest.fixture
def chart(api: Api) -> str:
    return str(make_chart(api)["chart"]["id"])


def bring(api: Api, chart: str, csv: str) -> Any:
    return api.run("svc_seat_save_guests", event_id=chart, csv=csv)


def named(found: Any) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in found["items"]}


def test_a_companion_with_the_surname_first_is_one_guest(api: Api, chart: str) -> None:
    guests = named(bring(api, chart, GERMAN))
    assert guests["Renate Müller"]["sort_name"] == "Müller, Renate"
    assert {"Hans-Jürgen Müller", "Ursula von der Heide"} <= set(guests)
    assert "Müller" not in guests and "Renate" not in guests


def test_two_companions_stay_two_where_names_are_not_turned_around(api: Api, chart: str) -> None:
    guests = named(bring(api, chart, "Name;Plus one\nAnna Berg;Ben, Carla\nDan Quist;\n"))
    assert {"Ben", "Carla"} <= set(guests)


@pytest.mark.parametrize("told", ["(a confirmar)", "(TBC)", "(offen)"])
def test_a_companion_who_is_not_known_yet_is_a_reported_placeholder(api: Api, chart: str, told: str) -> None:
    found = bring(api, chart, f"Name;Plus one\nAnna Berg;{told}\nDan Quist;\n")
    guests = named(found)
    assert set(guests) == {"Anna Berg", "Guest of Anna Berg", "Dan Quist"}
    assert guests["Guest of Anna Berg"]["placeholder"]
    assert found["warnings"] == [f"Line 2: the companion “{told}” is saved as a guest without a name"]


def test_marks_and_headings_of_a_list_from_a_chat_are_no_names(api: Api, chart: str) -> None:
    found = bring(api, chart, "Familia Lola:\n- Sara Paz\n- Luis Gil\nFamilia Paco:\n1. Eva Ramos\n2) Ana Ortega\n")
    assert {name: row["tags"] for name, row in named(found).items()} == {
        "Sara Paz": ["Familia Lola"], "Luis Gil": ["Familia Lola"],
        "Eva Ramos": ["Familia Paco"], "Ana Ortega": ["Familia Paco"],
    }  # fmt: skip
    assert "“Familia Lola:” is taken for a tag of the guests below" in found["warnings"][0]


@pytest.mark.parametrize("people", ["4 Pers.", "4 Personen", "4 people"])
def test_a_family_with_its_size_is_a_party_sorted_by_its_surname(api: Api, chart: str, people: str) -> None:
    found = bring(api, chart, f"Name;Essen\nFam. Schäfer ({people});Fleisch\nAnna Berg;\n")
    family = [row for row in found["items"] if row["party"] == "Fam. Schäfer"]
    assert [row["name"] for row in family] == [
        "Fam. Schäfer", *(f"Guest of Fam. Schäfer ({number})" for number in (1, 2, 3))
    ]  # fmt: skip
    assert [row["sort_name"] for row in family] == ["Schäfer", *["Schäfer (guest)"] * 3]
    assert [row["placeholder"] for row in family] == [False, True, True, True]
