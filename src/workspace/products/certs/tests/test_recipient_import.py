"""Tables of people: columns are recognized by headings or assigned by hand, and ambiguous dates are questioned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular.list_parser import parse_list
from workspace.lib.tabular.list_table import ListTable
from workspace.products.certs.domain.recipient_table import build_recipients, list_ambiguous_days
from workspace.products.certs.rules.recipient_list_headings import RECIPIENT_LIST

pytestmark = pytest.mark.any_database


def open_list(text: str, **more: object) -> ListTable:
    return parse_list(text, RECIPIENT_LIST, **more)  # type: ignore[arg-type]


def fields_of(text: str, **more: object) -> list[str]:
    return [column.field for column in open_list(text, **more).columns]


def test_headings_are_normalized_and_remembered_and_others_are_asked_for() -> None:
    text = "Full_Name;E-MAIL address;Punkte\n=Ada;a@example.com;12\n;;\nBen;;\n"
    sheet = open_list(text)
    assert [column.field for column in sheet.columns] == ["name", "email", ""]
    assert (sheet.has_heading, [row.number for row in sheet.rows]) == (True, [2, 4])
    known = replace(RECIPIENT_LIST, vocabulary=RECIPIENT_LIST.vocabulary.with_remembered({"punkte": "custom"}))
    again = parse_list(text, known)
    assert [column.field for column in again.columns] == ["name", "email", "custom"]
    assert build_recipients([(row.number, row.cells) for row in again.rows]) == [
        (2, {"name": "=Ada", "email": "a@example.com", "custom": "12"}),
        (4, {"name": "Ben"}),
    ]


@pytest.mark.parametrize(
    ("heading", "fields"),
    [
        ("Teilnehmer/in;E-Mail;Kursname;Datum;Stunden (gesamt)", ["name", "email", "course", "date", "hours"]),
        ("Nombre y apellidos;Correo electrónico;Curso;Fecha;Horas", ["name", "email", "course", "date", "hours"]),
        ("Nom et prénom;Courriel;Formation;Date;Durée", ["name", "email", "course", "date", "hours"]),
        ("Nome e cognome;Email;Corso;Data;Durata", ["name", "email", "course", "date", "hours"]),
        ("Nome completo;Email;Formação;Data;Carga horária", ["name", "email", "course", "date", "hours"]),
        ("Apellidos;Nombre;Nº;Válido hasta;Idioma", ["last_name", "first_name", "reference", "expires_on", "language"]),
    ],
)
def test_headings_are_recognized_in_six_languages_below_a_title(heading: str, fields: list[str]) -> None:
    sheet = open_list(f"Course list 2026;;;;\n\n{heading}\nAda King;1;2;3;4\n")
    assert [column.field for column in sheet.columns] == fields
    assert sheet.titles == [(1, "Course list 2026")] and len(sheet.rows) == 1


def test_a_table_without_headings_is_recognized_by_its_content() -> None:
    text = "Ada King,ada@example.com,3/4/2026\nBen,ben@example.com,5/6/2026\n"
    assert fields_of(text) == ["name", "email", "date"] and not open_list(text).has_heading
    names = [row.cells for row in open_list("Ada King\nBen Okafor\n").rows]
    assert names == [
        {"name": "Ada King"},
        {"name": "Ben Okafor"},
    ]
    assert fields_of("a,b\nc,d", has_heading_row=True) == ["", ""]


@pytest.mark.parametrize(
    ("written", "order", "is_asked", "day"),
    [
        ("3/4/2026", "", True, "2026-04-03"),
        ("3/4/2026", "mdy", True, "2026-03-04"),
        ("13/4/2026", "mdy", False, "2026-04-13"),
        ("4/13/2026", "dmy", False, "2026-04-13"),
        ("3.4.2026", "mdy", False, "2026-04-03"),
        ("4/4/2026", "", False, "2026-04-04"),
        ("2026/4/3", "", False, "2026-04-03"),
        ("2026-04-03 00:00:00", "", False, "2026-04-03"),
        ("May 2026", "", False, "May 2026"),
        ("30/2/2026", "", False, "2026-02-30"),
    ],
)
def test_dates_are_parsed_as_people_write_them(written: str, order: str, is_asked: bool, day: str) -> None:
    sheet = open_list(f"name;date\nAda;{written}\n")
    assert bool(list_ambiguous_days(sheet)) is is_asked
    assert build_recipients([(row.number, row.cells) for row in sheet.rows], order)[0][1]["date"] == day


def test_the_order_of_dates_is_that_of_the_dates_in_which_it_is_clear() -> None:
    sheet = open_list("name;date\nAda;3/4/2026\nBo;4/25/2026\n")
    assert list_ambiguous_days(sheet) == []
    recipients = build_recipients([(row.number, row.cells) for row in sheet.rows])
    assert [cells["date"] for _, cells in recipients] == ["2026-03-04", "2026-04-25"]


def test_invalid_or_too_large_tables_are_rejected() -> None:
    with pytest.raises(InvalidInputError, match="Split it"):
        open_list("\n".join(f"Name {n}" for n in range(600)))
    with pytest.raises(InvalidInputError):
        open_list('name\n"Ada\n')
    assert open_list(" \n\n").rows == []
