"""`svc import`: how columns become arguments, and what is checked before the first row is sent."""

from __future__ import annotations

from typing import Any

import pytest
from loopback import Command, Service, ok


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ("name,target_url\nA,b\n,c\nD,\n", ["Row 3, name: Required", "Row 4, target_url: Required"]),
        (
            "name,target_url,color\nA,b,red\n",
            ["Column 'color' is not an argument", "name, target_url, folder"],
        ),
        ("name,target_ur\nA,b\n", ["did you mean target_url?"]),
        ("name,target_url,Name\nA,b,c\n", ["Columns 'name' and 'Name' set the same argument"]),
        (f"name,target_url\nA,{'x' * 2001}\n", ["Row 2, target_url: must be at most 2000 characters"]),
        (
            "name,target_url\nA,b,c\nB,b\nC,https://d.example/?i=1,2,3\n",
            ["Row 2 has 3 cells, but the header row has 2", "Row 4 has 4 cells", "quotation marks"],
        ),
        ("name,target_url\nA,b,,\n", ["Row 2 has 4 cells"]),
        ("sep=x\nname,target_url\nA,b\n", ["sep=;"]),
        (b"PK\x03\x04\x14", ["workbook cannot be read"]),
        (b"name\x00,target_url", ["UTF-16 without a byte order mark"]),
        (b"name,target_url\nCaf\x81,b", ["neither UTF-8 nor Windows-1252"]),
        ("name,,target_url\nA,b,c\n", ["Column 2 has no name"]),
        ('name,target_url\nA,"b\n', ["is not valid CSV"]),
        ("name,target_url\n", ["no rows"]),
        ("", ["The file is empty"]),
    ],
)
def test_nothing_is_sent_unless_every_row_is_valid(
    svc: Command, service: Service, content: str | bytes, texts: list[str]
) -> None:
    svc.write(content)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert ran.code == 2
    for text in texts:
        assert text in ran.err
    assert "--help" not in ran.err, "the file is at fault, not the flags"
    assert service.requests == []


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfName,Target URL\r\nCaf\xc3\xa9,a.example\r\n",
        b"NAME;--target-url;;\nCaf\xc3\xa9;a.example;;\n\n;;;\n",
        b"sep=;\r\nname;target_url\r\nCaf\xc3\xa9;a.example\r\n",
        "name\ttarget_url\r\nCafé\ta.example\r\n".encode("utf-16"),
        "name,target_url\nCafé,a.example\n".encode("cp1252"),
        b'name,target_url\n"=""Caf\xc3\xa9""", a.example \n',
        "name;target_url\r\nCafé;a.example\r\n".encode("utf-16-le"),
        "name;target_url\rCafé;a.example\r".encode("utf-16-be"),
        b'name, target_url\nCaf\xc3\xa9, "a.example"\n',
    ],
)
def test_files_from_spreadsheets_are_understood(svc: Command, created: list[dict[str, Any]], content: bytes) -> None:
    svc.write(content)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, created) == (0, [{"name": "Café", "target_url": "a.example"}]), ran.err


def test_columns_are_converted_to_typed_values(svc: Command, service: Service) -> None:
    made: list[Any] = []
    for tool in ("svc_card_create", "svc_bid_create"):
        service.tools[tool] = lambda arguments, request: (made.append(arguments), ok({}))[1]
    svc.write('full_name,lead_capture,links\n007,No,"[{""url"": ""x""}]"\n')
    assert svc("import", "card", "create", "--csv", "codes.csv").code == 0
    svc.write("full name,links.0.url,links.0.title,links.1.url\nAda,x,X,y\nBo,,,z\n")
    assert svc("import", "card", "create", "--csv", "codes.csv").code == 0
    svc.write("title;tax_rate\nT;8,25\n")
    assert svc("import", "bid", "create", "--csv", "codes.csv").code == 0
    assert made == [
        {"full_name": "007", "lead_capture": False, "links": [{"url": "x"}]},
        {"full_name": "Ada", "links": [{"url": "x", "title": "X"}, {"url": "y"}]},
        {"full_name": "Bo", "links": [{"url": "z"}]},
        {"title": "T", "tax_rate": 8.25},
    ]


def test_a_wrong_type_names_row_and_column(svc: Command, service: Service) -> None:
    svc.write("full_name,lead_capture,links,links.0\nA,maybe,,\n")
    assert "set the same argument" in svc("import", "card", "create", "--csv", "codes.csv").err
    svc.write('full_name,lead_capture,links\nA,maybe,"[{}]"\nB,yes,[\n')
    ran = svc("import", "card", "create", "--csv", "codes.csv")
    assert "Row 2, lead_capture: must be true or false" in ran.err
    assert "Row 2, links.0.url: Required" in ran.err
    assert "Row 3, links: is not valid JSON" in ran.err
    assert ran.code == 2


def test_certificates_accept_the_recipients_fields_as_columns(svc: Command, service: Service) -> None:
    made: list[Any] = []
    service.tools["svc_certs_issue"] = lambda arguments, request: (made.append(arguments), ok({}))[1]
    svc.write("Template ID,Name,E-mail\nt1,Ada,a@x.org\n")
    assert "Column 'E-mail'" in svc("import", "certs", "issue", "--csv", "codes.csv").err
    svc.write("Template ID,Name,Email,hours,course\nt1,Ada,a@x.org,1.5,Logic\nt1,Bo,,,\n")
    assert svc("import", "certs", "issue", "--csv", "codes.csv").code == 0
    assert made == [
        {
            "template_id": "t1",
            "course": "Logic",
            "recipients": [{"name": "Ada", "email": "a@x.org", "hours": 1.5}],
        },
        {"template_id": "t1", "recipients": [{"name": "Bo"}]},
    ]
    svc.write("template_id,name,hours\nt1,,many\n")
    ran = svc("import", "certs", "issue", "--csv", "codes.csv")
    assert "Row 2, name: Required" in ran.err
    assert "Row 2, hours: must be a number" in ran.err


def test_patterns_and_dates_are_checked_before_sending(svc: Command, service: Service) -> None:
    (tool,) = (tool for tool in service.catalogue["tools"] if tool["name"] == "svc_qr_create")
    tool["name"], tool["path"] = "svc_qr_paint", "/api/v1/qr/paint"
    tool["input_schema"]["properties"]["color"] = {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
    tool["input_schema"]["properties"]["until"] = {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}
    svc.write("name,target_url,color,until\nA,b,#12ab34,2026-12-31\nA,b,red,2026-12-31\nA,b,#12ab34,tomorrow\n")
    ran = svc("import", "qr", "paint", "--csv", "codes.csv", "--dry-run")
    assert ran.code == 2
    assert "Row 3, color: must match the pattern ^#[0-9a-f]{6}$" in ran.err
    assert "Row 4, until: must have the format 2026-12-31" in ran.err
    assert "Row 2" not in ran.err


def test_a_table_made_from_answers_may_contain_their_fields(svc: Command, service: Service) -> None:
    made: list[Any] = []
    (tool,) = (tool for tool in service.catalogue["tools"] if tool["name"] == "svc_qr_create")
    tool["name"], tool["path"] = "svc_qr_paint", "/api/v1/qr/paint"
    row = {"properties": {"id": {"type": "string"}, "total_scans": {"type": "integer"}}}
    tool["output_schema"] = {"anyOf": [{"$ref": "#/$defs/Code"}], "$defs": {"Code": row}}
    service.tools["svc_qr_paint"] = lambda arguments, request: (made.append(arguments), ok({}))[1]
    svc.write("name,target_url,Total Scans,id\nA,b,7,qr_1\n")
    ran = svc("import", "qr", "paint", "--csv", "codes.csv")
    assert (ran.code, made) == (0, [{"name": "A", "target_url": "b"}]), ran.err
    assert "Skipped columns that the command does not accept: Total Scans, id." in ran.err


def test_the_apostrophe_before_a_formula_is_removed(svc: Command, created: list[dict[str, Any]]) -> None:
    svc.write("name,target_url\n'+43 1 234,a.example\n'＝1,a.example\n'quoted',b.example\n")
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 0
    assert [row["name"] for row in created] == ["+43 1 234", "＝1", "'quoted'"]
