"""Lists are read by the words in their headings, wherever the headings are, and nothing is dropped silently."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xlsxwriter import Workbook

from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import list_parser, workbook_reader
from workspace.lib.tabular.heading_matcher import (
    Vocabulary,
    column_letters,
    find_heading,
    format_line_numbers,
    heading_key,
)
from workspace.lib.tabular.list_table import SKIP_COLUMN, CellProblem, ListFormat, ListTable, group_warnings

WORDS = Vocabulary(
    {
        "table": "table, tisch*, mesa",
        "notes": "notes, allerg*, remarks",
        "first": "nombre, vorname",
        "last": "apellidos",
        "name": "name, guest, nombre y apellidos",
    }
)


FORMAT = ListFormat(WORDS, max_items=100, several={"notes": "; "}, labeled="notes")


def parse_list(text: str, format: ListFormat = FORMAT, **more: object) -> ListTable:
    return list_parser.parse_list(text, format, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Nombre y apellidos", "name"),
        ("NOMBRE", "first"),
        ("Tischnummer", "table"),
        ("Table (1 to 12)", "table"),
        ("Allergien / Allergies", "notes"),
        ("Table name", "table"),
        ("Shoe size", ""),
        ("", ""),
        ("table " * 40, ""),
    ],
)
def test_a_heading_is_matched_by_its_words(heading: str, field: str) -> None:
    assert WORDS.match(heading).field == field


@pytest.mark.parametrize("mark", [",", ";", "\t", " | "])
def test_titles_may_be_above_the_heading(mark: str) -> None:
    text = f"Our wedding in May\n\nname{mark}table\nAda{mark}1\nBo{mark}2\n"
    found = parse_list(text)
    assert [row.cells for row in found.rows] == [{"name": "Ada", "table": "1"}, {"name": "Bo", "table": "2"}]
    assert found.warnings() == ["Line 1 is above the heading and is not saved: “Our wedding in May”"]
    assert found.rows[0].number == 4


def test_a_data_line_with_a_known_word_is_not_a_heading() -> None:
    assert find_heading([["Ada Guest", "Table 3"], ["Bo", "Table 4"]], WORDS) is None
    assert find_heading([["x"]] * 10 + [["name", "table"]], WORDS) is None


def test_unknown_columns_are_reported_and_counted() -> None:
    found = parse_list("Name,Shoe size,,Table\nAda,39,,1\nBo,,,2\nCy,41,late,\n")
    assert [(one.name, one.filled_count) for one in found.unknown_columns] == [("“Shoe size”", 2), ("C", 1)]
    assert found.warnings() == [
        "Column “Shoe size” is not saved: 2 cells, such as “39”",
        "Column C is not saved: 1 cell, such as “late”",
    ]
    told = parse_list("Name,Shoe size,Table\nAda,39,1\n", meaning_by_column={"shoe size": "notes", "3": SKIP_COLUMN})
    assert told.unknown_columns == [] and told.rows[0].cells == {"name": "Ada", "notes": "Shoe size: 39"}
    assert told.warnings() == ["Column “Table” is not saved: 1 cell, such as “1”"]


def test_two_columns_of_one_field_are_joined_or_the_second_is_reported() -> None:
    found = parse_list("Name,Allergies,Remarks,Guest\nAda,nuts,front row,Bo\n")
    assert found.rows[0].cells == {"name": "Ada", "notes": "nuts; front row"}
    assert [one.name for one in found.unknown_columns] == ["“Guest”"]


def test_a_column_that_only_numbers_the_lines_is_not_reported() -> None:
    assert parse_list("Nr.,Name\n1,Ada\n2,Bo\n").warnings() == []
    assert parse_list("Nr.,Name\n4,Ada\n2,Bo\n").unknown_columns[0].name == "“Nr.”"


def test_without_a_heading_no_column_has_a_meaning() -> None:
    found = parse_list("Jméno;Stůl\nJan;1\nEva;2\n")
    assert (found.has_heading, found.may_have_heading, found.fields) == (False, True, ())
    named = parse_list("Jméno;Stůl\nJan;1\nEva;2\n", meaning_by_column={"1": "name"}, has_heading_row=True)
    assert [row.cells for row in named.rows] == [{"name": "Jan"}, {"name": "Eva"}]
    assert parse_list("Jméno;Stůl\nJan;1\n", meaning_by_column={"jméno": "name"}).rows[0].cells == {"name": "Jan"}
    assert not parse_list("Ada Berg;12\nBo Lind;12\n").may_have_heading


def test_names_with_a_comma_are_not_split_in_a_list_of_one_column() -> None:
    assert [row.cells["name"] for row in parse_list("Name\nBerg, Ada\nLind, Bo\n").rows] == ["Berg, Ada", "Lind, Bo"]


def test_a_line_with_an_extra_comma_is_rejected_by_its_number() -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_list("Name,Table\nAda,1\nBerg, Bo,2\n")
    assert [(issue.path, "has 3 cells" in issue.message) for issue in refused.value.issues] == [("csv.3", True)]


def test_a_cell_merged_over_several_rows_is_repeated_in_each() -> None:
    out = io.BytesIO()
    book = Workbook(out, {"in_memory": True})
    sheet = book.add_worksheet()
    sheet.merge_range(2, 1, 2, 2, "Guests of May")
    sheet.write_row(4, 1, ["Table", "Name"])
    sheet.merge_range(5, 1, 7, 1, "Garden")
    for row, name in enumerate(["Ada", "Bo", "Cy", "Di"], start=5):
        sheet.write(row, 2, name)
    book.close()
    found = parse_list(workbook_reader.read_text(out.getvalue())[0])
    assert [row.cells.get("table") for row in found.rows] == ["Garden", "Garden", "Garden", None]
    assert found.titles == [(3, "Guests of May")]


def test_columns_and_lines_are_named_as_in_spreadsheets() -> None:
    assert [column_letters(place) for place in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert (
        format_line_numbers([3]) == "3"
        and format_line_numbers([3, 4]) == "3 and 4"
        and format_line_numbers([9, 3, 5, 4, 5]) == "3 to 5 and 9"
    )
    problems = [CellProblem(3, "", "x"), CellProblem(4, "a", "x"), CellProblem(4, "", "y")]
    assert group_warnings(problems) == [
        "Lines 3 and 4: x",
        "Line 4: y",
    ]


@given(st.text(st.sampled_from("ab ,;\t|\n\"'=-1Name"), max_size=200))
def test_any_text_is_read_or_rejected(text: str) -> None:
    try:
        found = parse_list(text)
    except InvalidInputError:
        return
    assert all(row.number <= text.count("\n") + 1 for row in found.rows)


def test_a_list_without_a_heading_is_read_by_its_cells_and_their_order() -> None:
    plain = ListFormat(
        Vocabulary({"email": "email", "name": "name"}), max_items=9, order=("name",), content={"email": re.compile("@")}
    )
    found = parse_list("ada@example.com,Ada\nbo@example.com,Bo\n", plain)
    assert [one.field for one in found.columns] == ["email", ""]
    assert [one.field for one in parse_list("Ada Berg,ada@example.com\n", plain).columns] == ["name", "email"]
    strict = replace(plain, order=("name", "email"), is_order_complete=True)
    with pytest.raises(InvalidInputError, match="Line 2 has 3 cells") as refusal:
        parse_list("Ada,ada@example.com\nBo,bo@example.com,Berg\n", strict)
    assert refusal.value.issues[0].path == "csv.2"
    assert parse_list("Ada Berg\nBo\n", replace(plain, order=(), single="name")).fields == ("name",)


def test_remembered_headings_are_found_below_a_title_and_before_the_words_of_the_vocabulary() -> None:
    known = replace(FORMAT, vocabulary=WORDS.with_remembered({heading_key("Stůl č."): "table", "name": SKIP_COLUMN}))
    found = parse_list("Svatba 2026\n\nJméno hosta;STŮL č.;Name\nJan;4;x\n", known)
    assert found.has_heading and [one.field for one in found.columns] == ["", "table", SKIP_COLUMN]
    assert [one.is_set_by_owner for one in found.columns] == [False, True, True]
    assert found.lines == [(4, ["Jan", "4", "x"])] and WORDS.match("Name").field == "name"
