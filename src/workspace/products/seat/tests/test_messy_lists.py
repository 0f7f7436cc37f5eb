"""Guest lists as people write them: below titles, in four languages, with every cell saved or reported."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.products.seat.models import Guest
from workspace.testing.api import Api
from workspace.testing.samples.seat import make_chart

pytestmark = pytest.mark.django_db

GERMAN = """Hochzeit Müller & Schmidt;;;;;
Stand: 12.05.2027;;;;;
;;;;;
Lfd. Nr.;Name;Vorname;Zusage?;Unverträglichkeiten;Bemerkung
1;Berg;Anna;ja;Nüsse;am Fenster
2;Berg;Ben;nein;;
3;Öztürk;Cem;schaut noch;;
;Summe;3;;;
"""
SPANISH = """LISTA DE INVITADOS - BODA

Nombre;Primer apellido;Segundo apellido;Acompañante;Niños;Alérgico a;Confirmado
Sara;Domínguez;Alonso;+1;2;marisco;SI
Luis;Gil;Paz;Eva Ramos;;;pendiente
"""
PORTUGUESE = """Convidado\tPrato\tRestrições alimentares\tConfirmação\tObservações
João Silva\tBacalhau\tvegan\tSim\tprimo
Pedro Costa\tCarne\t\tNão\t
"""
ANSWERS = """Timestamp,Full Name,Will you attend?,Food (beef / fish),Any allergies?,How many guests in total?
12/05/2026 10:22:01,Anna Berg,Yes,beef,,2
12/05/2026 11:02:44,"Carla O'Neil",No,,nuts,
"""
TABLES = """Mesa 1\t\t
Nombre\tMenú\tAlergias
Ana Ruiz\tcarne\t
Mesa 2\t\t
Nombre\tMenú\tAlergias
Eva Paz\tvegano\tnueces
TOTAL\t2\t
"""


@pytest.fixture
def chart(api: Api) -> str:
    return str(make_chart(api)["chart"]["id"])


def import_guests(api: Api, chart: str, csv: str, **more: Any) -> Any:
    return api.run("svc_seat_save_guests", event_id=chart, csv=csv, **more)


def guests_by_name(result: Any) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in result["items"]}


def test_a_german_list_below_its_title_is_read_and_skipped_lines_are_reported(api: Api, chart: str) -> None:
    result = import_guests(api, chart, GERMAN)
    guests = guests_by_name(result)
    assert set(guests) == {"Anna Berg", "Ben Berg", "Cem Öztürk"}
    assert (guests["Anna Berg"]["notes"], guests["Ben Berg"]["reply"]) == ("am Fenster; Nüsse", "no")
    assert result["warnings"] == [
        "Line 1 is above the heading and is not saved: “Hochzeit Müller & Schmidt”",
        "Line 2 is above the heading and is not saved: “Stand: 12.05.2027”",
        "Line 7: The reply “schaut noch” is unknown. The guest is imported as waiting for a reply.",
        "Line 8: “Summe” looks like a total. This line is skipped.",
    ]


def test_a_spanish_list_keeps_both_surnames_companions_and_children(api: Api, chart: str) -> None:
    guests = guests_by_name(import_guests(api, chart, SPANISH))
    sara = guests["Sara Domínguez Alonso"]
    assert (sara["reply"], sara["notes"]) == ("yes", "marisco")
    assert {"Guest of Sara Domínguez Alonso", "Child of Sara Domínguez Alonso (2)", "Eva Ramos"} <= set(guests)
    assert guests["Luis Gil Paz"]["reply"] == "waiting"


def test_a_portuguese_list_from_a_spreadsheet_is_read(api: Api, chart: str) -> None:
    result = import_guests(api, chart, PORTUGUESE)
    joao, pedro = guests_by_name(result)["João Silva"], guests_by_name(result)["Pedro Costa"]
    assert (joao["meal"], joao["diet"], joao["notes"], joao["reply"]) == ("Bacalhau", ["vegan"], "primo", "yes")
    assert pedro["reply"] == "no" and result["warnings"] == [] and result["questions"] == []


def test_answers_of_a_form_are_read_and_unknown_columns_become_questions(api: Api, chart: str) -> None:
    result = import_guests(api, chart, ANSWERS, dry_run=True)
    assert set(guests_by_name(result)) == {"Anna Berg", "Guest of Anna Berg", "Carla O'Neil"}
    assert result["warnings"] == ["Column “Timestamp” is not saved: 2 cells, such as “12/05/2026 10:22:01”"]
    assert [question["text"] for question in result["questions"]] == [
        "Column “Timestamp” is unknown. Set its meaning in columns, or leave it out."
    ]
    settled = import_guests(api, chart, ANSWERS, columns={"Timestamp": "notes"})
    assert (
        guests_by_name(settled)["Anna Berg"]["notes"] == "Timestamp: 12/05/2026 10:22:01" and settled["warnings"] == []
    )


def test_table_names_between_the_guests_seat_the_guests_below(api: Api, chart: str) -> None:
    result = import_guests(api, chart, TABLES)
    assert {row["name"]: row["table"] for row in result["items"]} == {"Ana Ruiz": "1", "Eva Paz": "2"}
    assert [line for line in result["warnings"] if "total" in line or "column names" in line] == [
        "Line 5: The column names are repeated. This line is skipped.",
        "Line 7: “TOTAL” looks like a total. This line is skipped.",
    ]


def test_the_title_and_the_numbers_of_a_plain_list_are_removed(api: Api, chart: str) -> None:
    result = import_guests(
        api, chart, "Gästeliste Hochzeit Anna & Ben\n\n1. Carla Moor\n2. Dan Quist +1\n3. Eva Sand\n"
    )
    assert set(guests_by_name(result)) == {"Carla Moor", "Dan Quist", "Guest of Dan Quist", "Eva Sand"}
    assert result["warnings"] == ["Line 1: “Gästeliste Hochzeit Anna & Ben” looks like a title. This line is skipped."]


def test_names_with_the_surname_first_are_reversed(api: Api, chart: str) -> None:
    result = guests_by_name(import_guests(api, chart, "Name\nBerg, Anna\nMoor, Carla\n"))
    assert result["Anna Berg"]["sort_name"] == "Berg, Anna" and "Carla Moor" in result


@pytest.mark.parametrize(
    "csv", ["Jméno;Stůl;Jídlo\nJan;1;ryba\nEva;1;maso\n", "Tisch;Essen\n1;Fisch\n", "Anna Berg,Berg\nBen Moor,Moor\n"]
)
def test_a_list_without_a_column_of_names_is_refused_and_nothing_is_saved(api: Api, chart: str, csv: str) -> None:
    data = api.refuse("svc_seat_save_guests", event_id=chart, csv=csv)
    assert [issue["path"] for issue in data["issues"]] == ["csv"] and "columns" in data["message"]
    assert not Guest.objects.exists()


def test_a_list_in_an_unknown_language_is_read_once_its_columns_are_named(api: Api, chart: str) -> None:
    csv = "Jméno;Stůl;Jídlo\nJan;1;ryba\nEva;1;maso\n"
    result = guests_by_name(import_guests(api, chart, csv, columns={"Jméno": "name", "Jídlo": "meal", "Stůl": "-"}))
    assert (result["Jan"]["meal"], result["Eva"]["meal"]) == ("ryba", "maso")


def test_every_cell_that_is_not_saved_is_reported_and_equal_reports_are_grouped(api: Api, chart: str) -> None:
    long = "n" * 600
    csv = f"Name,Email,Seat,Notes,Phone\nAda,nobody,x,{long},\nBo,nobody,,,{'1' * 50}\n,a@b.example,,,\n"
    assert import_guests(api, chart, csv, dry_run=True)["warnings"] == [
        "Line 2: “Note” is shortened to 500 characters.",
        "Lines 2 and 3: “nobody” is not an email address, so it is skipped.",
        "Line 2: “x” is not a seat number, so it is skipped.",
        "Line 3: “Phone” is shortened to 40 characters.",
        "Line 4: The name is missing. This line is skipped.",
    ]


def test_the_page_asks_about_unknown_columns_before_saving(api: Api, chart: str) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    url = f"/app/seat/{chart}/guests/bring"
    csv = {"csv": "Name;Shoe size\nAda;39\nBo;41\n"}
    looked = owner.post(url, csv).content.decode()
    assert 'class="li-asked"' in looked and "Field for Shoe size" in looked and "<bdi>39</bdi>" in looked
    refused = owner.post(url, {**csv, "columns-shown": "1", "step": "save"})
    assert (
        refused.status_code == 422 and "Choose a field or “Don’t import” for these columns" in refused.content.decode()
    )
    assert not Guest.objects.exists()
    assert owner.post(url, {**csv, "columns-shown": "1", "column-1": "notes", "step": "save"}).status_code == 303
    assert Guest.objects.get(name="Ada").notes == "Shoe size: 39"
    later = owner.post(url, {"csv": "Name;SHOE SIZE\nCy;44\n"}).content.decode()
    assert 'class="li-asked"' not in later, "the field is remembered"
    import_guests(api, chart, "Name;Shoe size\nCy;44\n")
    assert Guest.objects.get(name="Cy").notes == "Shoe size: 44", "for every channel"


def test_the_page_shows_the_list_as_in_the_file_with_problems_in_their_cells(api: Api, chart: str) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    url = f"/app/seat/{chart}/guests/bring"
    text = "Our wedding\n\nName,Email,Table\nAda,nobody,\nBo,bo@example.com,Oak\n" + "Cy,,\n" * 60
    page = owner.post(url, {"csv": text, "accept": "repeated"}).content.decode()
    cell = '<td data-kind="wait"><bdi>nobody</bdi><span class="li-problem">“nobody” is not an email address'
    assert cell in page and '<td data-kind="wait"><bdi>Oak</bdi><span class="li-problem">' in page
    assert "Above the column names, not imported" in page and "62 rows" in page and "2 cells to check" in page
    assert "Import 62 guests" in page and "12 more rows without problems" in page
    assert [
        (one["line"], one["column"])
        for one in import_guests(api, chart, text, dry_run=True, accept=["repeated"])["skipped_cells"]
    ] == [(4, "email"), (5, "table")]


def test_a_list_with_an_open_quotation_mark_is_rejected_at_its_line_and_changes_nothing(api: Api, chart: str) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    wrong = owner.post(f"/app/seat/{chart}/guests/bring", {"csv": 'Name\nAda\n"Bo\n', "step": "save"})
    assert wrong.status_code == 422 and "Line 3" in wrong.content.decode() and not Guest.objects.exists()


def test_diets_are_recognized_in_spanish_and_anything_more_stays_in_the_notes(api: Api, chart: str) -> None:
    cells = {
        "Ada": "VEGETARIANO",
        "Bo": "sin gluten",
        "Cy": "sin lactosa, embarazada",
        "Di": "Celíaco",
        "Eva": "vegana",
    }
    import_guests(api, chart, "Nombre completo;Dieta\n" + "".join(f"{name};{text}\n" for name, text in cells.items()))
    found = {guest.name: (guest.diet, guest.notes) for guest in Guest.objects.all()}
    assert found == {
        "Ada": (["vegetarian"], ""),
        "Bo": (["gluten_free"], ""),
        "Cy": (["lactose_free"], "embarazada"),
        "Di": ([], "Celíaco"),
        "Eva": (["vegan"], ""),
    }


def test_the_page_opens_the_column_choices_if_no_column_contains_names(api: Api, chart: str) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    url = f"/app/seat/{chart}/guests/bring"
    csv = {"csv": "Jméno;Jídlo\nJan;ryba\nEva;maso\n"}
    refused = owner.post(url, {**csv, "step": "save"})
    assert refused.status_code == 422 and "Choose the column with the names" in refused.content.decode()
    assert not Guest.objects.exists()
    chosen = {"columns-shown": "1", "columns-headed": "1", "column-0": "name", "column-1": "meal"}
    assert owner.post(url, {**csv, **chosen, "step": "save"}).status_code == 303
    assert sorted(Guest.objects.values_list("name", flat=True)) == ["Eva", "Jan"]
