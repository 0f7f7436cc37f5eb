"""Companions, unnamed guests and headings of guest lists as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.testing.api import Api
from workspace.testing.samples.seat import make_chart

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


def import_guests(api: Api, chart: str, csv: str) -> Any:
    return api.run("svc_seat_save_guests", event_id=chart, csv=csv)


def guests_by_name(result: Any) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in result["items"]}


def test_a_companion_with_the_surname_first_is_one_guest(api: Api, chart: str) -> None:
    guests = guests_by_name(import_guests(api, chart, GERMAN))
    assert guests["Renate Müller"]["sort_name"] == "Müller, Renate"
    assert {"Hans-Jürgen Müller", "Ursula von der Heide"} <= set(guests)
    assert "Müller" not in guests and "Renate" not in guests


def test_two_companions_are_two_guests_if_names_are_written_first_name_first(api: Api, chart: str) -> None:
    guests = guests_by_name(import_guests(api, chart, "Name;Plus one\nAnna Berg;Ben, Carla\nDan Quist;\n"))
    assert {"Ben", "Carla"} <= set(guests)


@pytest.mark.parametrize("told", ["(a confirmar)", "(TBC)", "(offen)"])
def test_an_unknown_companion_becomes_a_placeholder_with_a_warning(api: Api, chart: str, told: str) -> None:
    result = import_guests(api, chart, f"Name;Plus one\nAnna Berg;{told}\nDan Quist;\n")
    guests = guests_by_name(result)
    assert set(guests) == {"Anna Berg", "Guest of Anna Berg", "Dan Quist"}
    assert guests["Guest of Anna Berg"]["placeholder"]
    assert result["warnings"] == [f"Line 2: The companion “{told}” is imported as a guest without a name."]


def test_bullets_and_headings_of_a_list_from_a_chat_are_not_part_of_names(api: Api, chart: str) -> None:
    result = import_guests(
        api, chart, "Familia Lola:\n- Sara Paz\n- Luis Gil\nFamilia Paco:\n1. Eva Ramos\n2) Ana Ortega\n"
    )
    assert {name: row["tags"] for name, row in guests_by_name(result).items()} == {
        "Sara Paz": ["Familia Lola"], "Luis Gil": ["Familia Lola"],
        "Eva Ramos": ["Familia Paco"], "Ana Ortega": ["Familia Paco"],
    }  # fmt: skip
    assert "“Familia Lola:” is used as a tag of the guests below" in result["warnings"][0]


@pytest.mark.parametrize("people", ["4 Pers.", "4 Personen", "4 people"])
def test_a_family_with_its_size_is_a_party_sorted_by_its_surname(api: Api, chart: str, people: str) -> None:
    result = import_guests(api, chart, f"Name;Essen\nFam. Schäfer ({people});Fleisch\nAnna Berg;\n")
    family = [row for row in result["items"] if row["party"] == "Fam. Schäfer"]
    assert [row["name"] for row in family] == [
        "Fam. Schäfer", *(f"Guest of Fam. Schäfer ({number})" for number in (1, 2, 3))
    ]  # fmt: skip
    assert [row["sort_name"] for row in family] == ["Schäfer", *["Schäfer (guest)"] * 3]
    assert [row["placeholder"] for row in family] == [False, True, True, True]


@pytest.fixture
def spanish(api: Api) -> str:
    api.run("svc_account_edit", country="ES")
    return str(make_chart(api)["chart"]["id"])


def test_companions_are_sorted_by_the_name_order_of_the_chart(api: Api, spanish: str) -> None:
    csv = "Nombre;Acompañante;Niños\nSara Domínguez Alonso;Juan Gil Paz;1\nEva Ruiz Mora;+1;\n"
    sorted_as = {name: row["sort_name"] for name, row in guests_by_name(import_guests(api, spanish, csv)).items()}
    assert sorted_as == {
        "Sara Domínguez Alonso": "Domínguez Alonso, Sara",
        "Juan Gil Paz": "Gil Paz, Juan",
        "Child of Sara Domínguez Alonso": "Domínguez Alonso, Sara (child)",
        "Eva Ruiz Mora": "Ruiz Mora, Eva",
        "Guest of Eva Ruiz Mora": "Ruiz Mora, Eva (guest)",
    }


def test_a_couple_shares_both_surnames(api: Api, spanish: str) -> None:
    result = api.run(
        "svc_seat_save_guests", event_id=spanish, csv="Nombre\nAna y Luis Domínguez Alonso\n", accept=["split"]
    )
    assert set(guests_by_name(result)) == {"Ana Domínguez Alonso", "Luis Domínguez Alonso"}


def test_changing_the_name_order_sorts_companions_with_their_host(api: Api, spanish: str) -> None:
    import_guests(api, spanish, "Nombre;Acompañante\nEva Ruiz Mora;+1\n")
    api.run("svc_seat_edit", event_id=spanish, name_order="western")
    result = api.run("svc_seat_guests", event_id=spanish)
    assert {row["sort_name"] for row in result["items"]} == {"Mora, Eva Ruiz", "Mora, Eva Ruiz (guest)"}


def test_the_ages_of_children_are_saved_in_the_notes(api: Api, chart: str) -> None:
    result = import_guests(api, chart, "Name;Children\nAnna Berg;2 (4, 7)\nBen Ott;1\n")
    guests = guests_by_name(result)
    assert guests["Anna Berg"]["notes"] == "Children: 2 (4, 7)" and guests["Ben Ott"]["notes"] == ""
    assert len([name for name in guests if name.startswith("Child of Anna Berg")]) == 2
    assert result["warnings"] == []


@pytest.mark.parametrize(
    "csv",
    [
        "Name;Table;Name;Table\nAnna Berg;1;Ben Ott;2\nCarla Roth;1;;\n",
        "Bride;;;Groom;\nName;Table;;Name;Table\nAnna Berg;1;;Ben Ott;2\nCarla Roth;1;;;\n",
    ],
)
def test_two_lists_side_by_side_are_both_read(api: Api, chart: str, csv: str) -> None:
    result = api.run("svc_seat_save_guests", event_id=chart, csv=csv, accept=["tables"])
    assert {name: row["table"] for name, row in guests_by_name(result).items()} == {
        "Anna Berg": "1", "Carla Roth": "1", "Ben Ott": "2"
    }  # fmt: skip
    assert "The columns appear side by side 2 times. All of them are read, one below the other." in result["warnings"]


def test_two_columns_of_names_alone_are_both_read(api: Api, chart: str) -> None:
    imported = import_guests(api, chart, "Guests;Guests\nAnna Berg;Ben Ott\nCarla Roth;Dan Quist\n")
    assert set(guests_by_name(imported)) == {"Anna Berg", "Ben Ott", "Carla Roth", "Dan Quist"}


def test_two_lists_side_by_side_remain_two_after_their_columns_are_confirmed(api: Api, chart: str) -> None:
    csv, data = "Name;Table;Name;Table\nAnna Berg;1;Ben Ott;2\n", {"1": "name", "2": "notes"}
    result = api.run("svc_seat_save_guests", event_id=chart, csv=csv, columns=data)
    assert {name: row["notes"] for name, row in guests_by_name(result).items()} == {
        "Anna Berg": "Table: 1", "Ben Ott": "Table: 2"
    }  # fmt: skip


def test_headings_of_several_name_columns_become_tags(api: Api, chart: str) -> None:
    csv = "Novia;Novio;Remarks\nAna Berg;Ben Ott;\nCarla Roth;;\n;;bring chairs\n"
    result = api.run("svc_seat_save_guests", event_id=chart, csv=csv, columns={"Novia": "name", "Novio": "name"})
    assert {name: row["tags"] for name, row in guests_by_name(result).items()} == {
        "Ana Berg": ["Novia"], "Ben Ott": ["Novio"], "Carla Roth": ["Novia"]
    }  # fmt: skip
    assert result["warnings"] == ["Line 4: The name is missing. This line is skipped."]


def test_a_column_after_two_name_columns_applies_to_both_guests(api: Api, chart: str) -> None:
    data = {"Guest 1": "name", "Guest 2": "name"}
    csv = "Guest 1;Guest 2;Remarks\nAna Berg;Ben Ott;by train\nCarla Roth;;\n"
    result = api.run("svc_seat_save_guests", event_id=chart, csv=csv, columns=data)
    assert {name: (row["notes"], row["tags"]) for name, row in guests_by_name(result).items()} == {
        "Ana Berg": ("by train", []), "Ben Ott": ("by train", []), "Carla Roth": ("", [])
    }  # fmt: skip
