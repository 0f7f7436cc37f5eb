"""CSV tables: everything that spreadsheets write is read, and everything else is rejected with a specific error."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import csv_table, workbook_reader, workbook_writer

KNOWN = {"name": "name", "label": "name", "target url": "target", "link": "target", "folder": "folder"}
ORDER = ("name", "target")


def parse_csv(source: bytes | str, most: int = 1000) -> csv_table.CsvTable:
    return csv_table.parse_csv(source, KNOWN, order=ORDER, max_rows=most, path="list")


def list_issues(source: bytes | str, most: int = 1000) -> list[tuple[str, str]]:
    with pytest.raises(InvalidInputError) as refused:
        parse_csv(source, most)
    return [(issue.path, issue.message) for issue in refused.value.issues]


def cells(source: bytes | str) -> list[dict[str, str]]:
    return [row.cells for row in parse_csv(source).rows]


MENU = [{"name": "Café", "target": "a.example", "folder": "Tables"}]


@pytest.mark.parametrize(
    "source",
    [
        "name,target url,folder\nCafé,a.example,Tables",
        "\ufeffname,target url,folder\r\nCafé,a.example,Tables\r\n",
        "NAME;Target_URL;Folder\r\nCafé;a.example;Tables\r\n",
        "Label\tTARGET-URL\t Fol der \rCafé\ta.example\tTables\r",
        "folder,link,label\nTables,a.example,Café",
        'sep=;\r\nname;link;folder\r\n"Café";"a.example";Tables\r\n',
        '"sep=|"\nname|link|folder\nCafé|a.example|Tables\n',
        "name;link;folder;;\n\nCafé;a.example;Tables;;\n;;;;;;\n",
        'name, link, folder\nCafé, "a.example", Tables\n',
        'name,link,folder\n"=""Café""",a.example,Tables\n',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", None])
def test_csv_files_of_spreadsheets_are_read(source: str, encoding: str | None) -> None:
    assert cells(source.encode(encoding) if encoding else source) == MENU


def test_an_old_encoding_is_guessed_and_reported() -> None:
    found = parse_csv("name,link\nCafé Käse,a.example\n".encode("cp1252"))
    assert found.rows[0].cells["name"] == "Café Käse"
    assert "Windows-1252" in found.note
    assert parse_csv("name,link\nCafé,a.example\n".encode()).note == ""


@pytest.mark.parametrize(
    ("name", "encoding", "told"),
    [
        ("Ayşe Yılmaz", "cp1254", "Windows-1254 (Turkish)"),
        ("Çağrı Şahin", "cp1254", "Windows-1254 (Turkish)"),
        ("Þór Sigurðsson, Guðrún", "cp1252", "Windows-1252"),
        ("Þorsteinn Sigurður", "cp1252", "Windows-1252"),
        ("Jürgen Groß", "cp1252", "Windows-1252"),
    ],
)
def test_turkish_and_icelandic_encodings_are_distinguished(name: str, encoding: str, told: str) -> None:
    found = parse_csv(f'name,link\n"{name}",a.example\n'.encode(encoding))
    assert found.rows[0].cells["name"] == name
    assert told in found.note


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00", "workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "workbook"),
        (b"name,link\nA\x00,b\n", "UTF-16"),
        (b"name,link\nAB\x00,b\n", "UTF-16"),
        ("名字,网址\n一二,x\n".encode("utf-16-le"), "UTF-16"),
        (b"\xff\xfeabc", "starts as UTF-16"),
        (b"\xef\xbb\xbfCaf\xe9", "starts as UTF-8"),
        (b"Caf\x81,b", "neither UTF-8 nor Windows-1252"),
        (b"x" * 4_000_001, "too long"),
        ("x" * 1_000_001, "too long"),
        ("a\0b", "not a CSV file"),
        ("sep=x\nname,link", "sep=;"),
    ],
)
def test_invalid_or_too_long_text_is_rejected_by_name(content: bytes | str, words: str) -> None:
    [(path, message)] = list_issues(content)
    assert path == "list" and words in message


def test_a_line_with_too_many_cells_is_reported_and_never_cut() -> None:
    assert list_issues("name,link\nGood,a.example\nCommaTest,https://example.com/?items=a,b,c\nAlso,b.example,,\n") == [
        ("list.3", "Line 3 has 4 cells, but the header row has 2: put cells that contain a comma in quotation marks"),
        ("list.4", "Line 4 has 4 cells, but the header row has 2: put cells that contain a comma in quotation marks"),
    ]
    [(path, message)] = list_issues("CommaTest,https://example.com/?items=a,b,c")
    assert path == "list.1" and "has 4 cells" in message and "name, target" in message
    assert list_issues("name;link\nA;b;c\n")[0][1].endswith("a semicolon in quotation marks")
    assert cells('name,link\nCommaTest,"https://example.com/?items=a,b,c"\n') == [
        {"name": "CommaTest", "target": "https://example.com/?items=a,b,c"}
    ]


def test_with_semicolons_as_delimiters_cells_may_contain_commas() -> None:
    assert cells("Table 1;https://example.com/?a=1,2") == [{"name": "Table 1", "target": "https://example.com/?a=1,2"}]
    assert cells("sep=;\nBread, cheese;a.example") == [{"name": "Bread, cheese", "target": "a.example"}]


def test_lines_are_numbered_as_in_a_spreadsheet() -> None:
    found = parse_csv('name,link\n"two\nlines",a.example\n\n,,\nlast,b.example\n')
    assert [(row.number, row.cells["name"]) for row in found.rows] == [(2, "two\nlines"), (5, "last")]
    assert list_issues('name,link\n"two\nlines",a.example\nA,b,c\n')[0][0] == "list.3"


def test_unknown_duplicate_and_unnamed_columns_are_rejected_by_name() -> None:
    [(path, message)] = list_issues("name,link,color\nA,b,red\n")
    assert path == "list" and "“color” is not a known column" in message and "Use name, target url, folder" in message
    assert "“name” and “Label” are the same" in list_issues("name,link,Label\nA,b,c\n")[0][1]
    assert "Column 2 has no heading" in list_issues("name,,link\nA,b,c\n")[0][1]
    assert len(list_issues("name,link,color,size,,label\nA,b\n")) == 4


def test_a_first_line_is_a_heading_only_if_it_looks_like_one() -> None:
    assert cells("Label 7,a.example\nShelf,b.example")[0]["name"] == "Label 7"
    assert parse_csv("name,link").rows == [] and parse_csv("").rows == [] and parse_csv(" \n ,, \n").rows == []
    with pytest.raises(InvalidInputError):
        csv_table.parse_csv("Label,Great,5,x\n", KNOWN, order=("a", "b", "c"), max_rows=10)
    assert (
        csv_table.parse_csv("Label,Great,5\n", KNOWN, order=("a", "b", "c"), max_rows=10).rows[0].cells["a"] == "Label"
    )


@pytest.mark.parametrize("line", ['A,"b', 'A,"b"c', '"A"x,b'])
def test_an_unclosed_quotation_mark_does_not_consume_the_rest(line: str) -> None:
    [(path, message)] = list_issues(f"name,link\n{line}\nB,c\nD,e\n")
    assert path == "list.2" and "quotation mark" in message


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("A,b\n" * 1001, "max. 1,000"),
        ("name,link\n" + "A,b,c\n" * 1001, "max. 1,000"),
        ("a," * 499_000, "499,001 cells (max. 100)"),
        ("A," + "x" * 900_000, "more than 131,072 characters"),
        ('"' * 999_999, "more than 131,072 characters"),
    ],
)
def test_malicious_input_is_limited(source: str, words: str) -> None:
    assert words in list_issues(source)[0][1]


def test_of_many_invalid_lines_fifty_are_reported() -> None:
    assert len(list_issues("name,link\n" + "A,b,c\n" * 900)) == 50


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+43 1-234",
        "-1",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1+1",
        "＋1",
        "－1",
        "＠x",
        "'=1",
        "  =1",
        "\u3000＝1",
        "\u200b=1",
        "﹦1",
    ],
)
def test_no_spreadsheet_runs_written_text_as_a_formula(text: str) -> None:
    [heading, line] = csv.reader(io.StringIO(csv_table.write(["name"], [[text]]), newline=""))
    assert (heading, line) == (["name"], [f"'{text}"])


def test_numbers_and_plain_words_are_written_unchanged() -> None:
    written = csv_table.write(["a", "b"], [["it's", -5], [True, None], [False, 1.5]])
    assert written == "a,b\r\nit's,-5\r\nyes,\r\nno,1.5\r\n"


@given(st.lists(st.tuples(*[st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))] * 2)))
def test_written_tables_are_read_back(rows: list[tuple[str, str]]) -> None:
    kept = [[text.strip(" \t\u00a0\ufeff") for text in row] for row in rows]
    found = [[row.get("name", ""), row.get("target", "")] for row in cells(csv_table.write(["name", "link"], kept))]
    assert found == [row for row in kept if any(row)]


@pytest.mark.parametrize("phone", ["+49 30 1234567", "+493012345", "+1 555 010 0199"])
def test_a_phone_number_is_written_unchanged(phone: str) -> None:
    assert list(csv.reader(io.StringIO(csv_table.write(["phone"], [[phone]]))))[1] == [phone]


@pytest.mark.parametrize(
    "text", ["+1", "+1+555", "+49 30-1", "+49  30", "+49 30 x", "+A1", "+ 49 30", "+49 30\n=1", "-49 30"]
)
def test_a_formula_is_not_mistaken_for_a_phone_number(text: str) -> None:
    assert list(csv.reader(io.StringIO(csv_table.write(["phone"], [[text]]))))[1] == [f"'{text}"]


def test_a_heading_that_is_a_formula_is_escaped_and_reads_back() -> None:
    text = csv_table.write(["=Choice", "+Guests", "Name"], [["=1+1", "2", "Ada"]])
    assert text.splitlines()[0] == "'=Choice,'+Guests,Name"
    found = csv_table.parse_csv(
        text, {"=Choice": "choice", "+Guests": "guests", "Name": "name"}, order=("name",), max_rows=5
    )
    assert found.rows[0].cells == {"choice": "=1+1", "guests": "2", "name": "Ada"}
    book, _ = workbook_reader.read_text(workbook_writer.build_from_csv("Answers", text))
    assert book.splitlines()[0] == "=Choice\t+Guests\tName"
