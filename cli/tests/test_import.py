"""`svc import`: the whole file is checked first, each row is sent once, a rerun goes on."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback import Command, Reply, Request, Service, ok, refuse

CODES = "name,target-url\nDoor,a.example\nTable 1,b.example\nTable 2,c.example\n"
Run = Callable[..., Any]


@pytest.fixture
def created(service: Service) -> list[dict[str, Any]]:
    """What the service has made of `qr create`."""
    made: list[dict[str, Any]] = []

    def create(arguments: dict[str, Any], request: Request) -> Reply:
        made.append(arguments)
        return ok({"id": f"qr_{len(made)}"})

    service.tools["svc_qr_create"] = create
    return made


def write(svc: Command, content: str | bytes, name: str = "codes.csv") -> Path:
    path = svc.home / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def keys(service: Service, tool: str = "svc_qr_create") -> list[str]:
    return [request.headers["idempotency-key"] for request in service.calls(tool)]


def test_each_row_is_one_call(svc: Command, service: Service, created: list[dict[str, Any]]) -> None:
    write(svc, CODES)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, ran.err) == (0, "3 sent, 0 failed.\n")
    assert created[1] == {"name": "Table 1", "target_url": "b.example"}
    assert ran.json["results"][0] == {"row": 2, "ok": True, "data": {"id": "qr_1"}}
    assert len(set(keys(service))) == 3
    assert not (svc.home / "codes.csv.errors.csv").exists()


def test_a_rerun_sends_nothing_twice(svc: Command, service: Service, created: list[dict[str, Any]]) -> None:
    write(svc, CODES)
    svc("import", "qr-create", "--csv", "codes.csv")
    ran = svc("import", "svc_qr_create", "--csv", "codes.csv")
    assert (ran.code, len(created)) == (0, 3)
    assert "3 of 3 rows were sent before" in ran.err
    first = keys(service)
    assert svc("import", "qr", "create", "--csv", "codes.csv", "--again").code == 0
    assert len(created) == 6
    assert not set(first) & set(keys(service)[3:])


def test_it_stops_at_the_day_s_limit_and_goes_on_later(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    write(svc, CODES)
    create = service.tools["svc_qr_create"]
    spent = refuse(429, "rate_limited", "Daily limit reached.", retryAfter=600)
    service.tools["svc_qr_create"] = lambda arguments, request: spent if created else create(arguments, request)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, len(created)) == (4, 1)
    assert "run the same command again" in ran.err
    assert "10 min" in ran.err
    stopped_at = keys(service)[-1]
    service.tools["svc_qr_create"] = create
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 0
    assert [row["name"] for row in created] == ["Door", "Table 1", "Table 2"]
    assert keys(service)[-2] == stopped_at, "a row keeps its key"


def test_a_dropped_line_stops_with_1_and_the_row_keeps_its_key(svc: Command, service: Service) -> None:
    write(svc, CODES)
    service.tools["svc_qr_create"] = lambda arguments, request: Reply(b"", hang_up=True)
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 1
    service.tools["svc_qr_create"] = lambda arguments, request: ok({})
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 0
    assert len(set(keys(service))) == 3


def test_refused_rows_go_into_a_file_that_can_be_imported(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    path = write(svc, CODES)
    create = service.tools["svc_qr_create"]
    issues = [{"path": "target_url", "message": "Not reachable"}]
    bad = refuse(400, "invalid_input", "Some arguments do not fit.", issues=issues)
    service.tools["svc_qr_create"] = lambda arguments, request: (
        bad if arguments["name"] == "Table 1" else create(arguments, request)
    )
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, len(created)) == (1, 2)
    assert "Row 3: " in ran.err
    failed = path.with_name("codes.csv.errors.csv")
    (row,) = csv.DictReader(failed.read_text(encoding="utf-8-sig").splitlines())
    assert row["name"] == "Table 1"
    assert row["error"] == "Some arguments do not fit. target_url: Not reachable"
    service.tools["svc_qr_create"] = create
    assert svc("import", "qr", "create", "--csv", failed.name).code == 0
    assert created[-1] == {"name": "Table 1", "target_url": "b.example"}


def test_a_refusal_s_issues_are_told_in_one_line(svc: Command, service: Service) -> None:
    path = write(svc, "name,target_url\nDoor,a.example\n")
    issues = [{"path": "target_url", "message": "A code cannot lead there"}, {"path": "name", "message": "Taken"}]
    message = "target_url: A code cannot lead there; name: Taken"
    service.tools["svc_qr_create"] = lambda arguments, request: refuse(400, "invalid_input", message, issues=issues)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert f"  Row 2: {message}\n" in ran.err
    assert f'"{message}"' in ran.out
    assert path.with_name("codes.csv.errors.csv").read_text(encoding="utf-8-sig").endswith(f",{message}\n")


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ("name,target_url\nA,b\n,c\nD,\n", ["Row 3, name: Required", "Row 4, target_url: Required"]),
        (
            "name,target_url,colour\nA,b,red\n",
            ["Column 'colour' is not an argument", "name, target_url, folder"],
        ),
        ("name,target_ur\nA,b\n", ["did you mean target_url?"]),
        ("name,target_url,Name\nA,b,c\n", ["Columns 'name' and 'Name' fill the same argument"]),
        (f"name,target_url\nA,{'x' * 2001}\n", ["Row 2, target_url: must be at most 2000 characters"]),
        ("name,target_url\nA,b,c\n", ["Row 2 has 3 cells"]),
        ("name,,target_url\nA,b,c\n", ["Column 2 has no name"]),
        ('name,target_url\nA,"b\n', ["is not valid CSV"]),
        ("name,target_url\n", ["no rows"]),
        ("", ["The file is empty"]),
    ],
)
def test_nothing_is_sent_unless_every_row_fits(svc: Command, service: Service, content: str, texts: list[str]) -> None:
    write(svc, content)
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
    ],
)
def test_what_spreadsheets_write_is_understood(svc: Command, created: list[dict[str, Any]], content: bytes) -> None:
    write(svc, content)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, created) == (0, [{"name": "Café", "target_url": "a.example"}]), ran.err


def test_columns_carry_typed_values(svc: Command, service: Service) -> None:
    made: list[Any] = []
    for tool in ("svc_card_create", "svc_bid_create"):
        service.tools[tool] = lambda arguments, request: (made.append(arguments), ok({}))[1]
    write(svc, 'full_name,lead_capture,links\n007,No,"[{""url"": ""x""}]"\n')
    assert svc("import", "card", "create", "--csv", "codes.csv").code == 0
    write(svc, "full name,links.0.url,links.0.title,links.1.url\nAda,x,X,y\nBo,,,z\n")
    assert svc("import", "card", "create", "--csv", "codes.csv").code == 0
    write(svc, "title;tax_rate\nT;8,25\n")
    assert svc("import", "bid", "create", "--csv", "codes.csv").code == 0
    assert made == [
        {"full_name": "007", "lead_capture": False, "links": [{"url": "x"}]},
        {"full_name": "Ada", "links": [{"url": "x", "title": "X"}, {"url": "y"}]},
        {"full_name": "Bo", "links": [{"url": "z"}]},
        {"title": "T", "tax_rate": 8.25},
    ]


def test_a_wrong_type_names_row_and_column(svc: Command, service: Service) -> None:
    write(svc, "full_name,lead_capture,links,links.0\nA,maybe,,\n")
    assert "fill the same argument" in svc("import", "card", "create", "--csv", "codes.csv").err
    write(svc, 'full_name,lead_capture,links\nA,maybe,"[{}]"\nB,yes,[\n')
    ran = svc("import", "card", "create", "--csv", "codes.csv")
    assert "Row 2, lead_capture: must be true or false" in ran.err
    assert "Row 2, links.0.url: Required" in ran.err
    assert "Row 3, links: is not valid JSON" in ran.err
    assert ran.code == 2


def test_certificates_take_the_recipient_s_fields_as_columns(svc: Command, service: Service) -> None:
    made: list[Any] = []
    service.tools["svc_certs_issue"] = lambda arguments, request: (made.append(arguments), ok({}))[1]
    write(svc, "Template ID,Name,E-mail\nt1,Ada,a@x.org\n")
    assert "Column 'E-mail'" in svc("import", "certs", "issue", "--csv", "codes.csv").err
    write(svc, "Template ID,Name,Email,hours,course\nt1,Ada,a@x.org,1.5,Logic\nt1,Bo,,,\n")
    assert svc("import", "certs", "issue", "--csv", "codes.csv").code == 0
    assert made == [
        {
            "template_id": "t1",
            "course": "Logic",
            "recipients": [{"name": "Ada", "email": "a@x.org", "hours": 1.5}],
        },
        {"template_id": "t1", "recipients": [{"name": "Bo"}]},
    ]
    write(svc, "template_id,name,hours\nt1,,many\n")
    ran = svc("import", "certs", "issue", "--csv", "codes.csv")
    assert "Row 2, name: Required" in ran.err
    assert "Row 2, hours: must be a number" in ran.err


def test_a_file_larger_than_the_quota_is_not_begun_without_a_word(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    left = {"RateLimit": '"daily";r=2;t=3600'}
    service.tools["svc_me"] = lambda arguments, request: ok({"email": "ada@example.com"}, **left)
    write(svc, CODES)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, created) == (4, [])
    assert "3 rows are to be sent, but only 2 calls are left" in ran.err
    asked = svc.on_terminal("import", "qr", "create", "--csv", "codes.csv", typed="n\n")
    assert (asked.code, created) == (1, [])
    assert svc.on_terminal("import", "qr", "create", "--csv", "codes.csv", typed="y\n").code == 0
    assert len(created) == 3


def test_a_progress_bar_shows_on_a_terminal_only(svc: Command, created: list[dict[str, Any]]) -> None:
    write(svc, CODES)
    shown = svc.on_terminal("import", "qr", "create", "--csv", "codes.csv").out
    assert "3/3" in shown
    assert "3 sent, 0 failed." in shown
    assert '"results"' not in shown


def test_a_dry_run_checks_and_sends_nothing(svc: Command, service: Service) -> None:
    write(svc, CODES)
    ran = svc("import", "qr", "create", "--csv", "codes.csv", "--dry-run", SVC_API_KEY=None)
    assert ran.code == 0
    assert "3 rows fit what the command asks for; nothing was sent." in ran.err
    assert "The service may still refuse rows" in ran.err
    assert service.requests == []
    write(svc, "name,target_url\nDoor,a.example\n")
    assert "1 row fits" in svc("import", "qr", "create", "--csv", "codes.csv", "--dry-run").err


def test_patterns_and_dates_are_checked_before_sending(svc: Command, service: Service) -> None:
    (tool,) = (tool for tool in service.catalogue["tools"] if tool["name"] == "svc_qr_create")
    tool["name"], tool["path"] = "svc_qr_paint", "/api/v1/qr/paint"
    tool["input_schema"]["properties"]["colour"] = {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
    tool["input_schema"]["properties"]["until"] = {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}
    write(svc, "name,target_url,colour,until\nA,b,#12ab34,2026-12-31\nA,b,red,2026-12-31\nA,b,#12ab34,tomorrow\n")
    ran = svc("import", "qr", "paint", "--csv", "codes.csv", "--dry-run")
    assert ran.code == 2
    assert "Row 3, colour: must match the pattern ^#[0-9a-f]{6}$" in ran.err
    assert "Row 4, until: must be written like 2026-12-31" in ran.err
    assert "Row 2" not in ran.err


def test_a_formula_s_apostrophe_is_taken_off_again(svc: Command, created: list[dict[str, Any]]) -> None:
    write(svc, "name,target_url\n'+43 1 234,a.example\n'quoted',b.example\n")
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 0
    assert [row["name"] for row in created] == ["+43 1 234", "'quoted'"]


def test_destructive_imports_need_yes(svc: Command, service: Service) -> None:
    service.tools["svc_booking_cancel"] = lambda arguments, request: ok({})
    write(svc, "id\nb_1\nb_2\n")
    assert svc("import", "booking", "cancel", "--csv", "codes.csv").code == 2
    assert service.requests == []
    assert svc("import", "booking", "cancel", "--csv", "codes.csv", "--yes").code == 0
    assert len(service.calls("svc_booking_cancel")) == 2


def test_a_wrong_key_stops_before_the_first_row(svc: Command, created: list[dict[str, Any]]) -> None:
    write(svc, CODES)
    assert svc("import", "qr", "create", "--csv", "codes.csv", SVC_API_KEY="svc_live_no").code == 3
    assert created == []


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("qr", "crate", "--csv", "codes.csv"), "Did you mean: svc import qr create"),
        (("qr", "create", "--csv", "none.csv"), "Could not read none.csv"),
        (("qr", "create"), "--csv"),
        (("--csv", "codes.csv"), "WORDS"),
    ],
)
def test_usage_mistakes_exit_2(svc: Command, arguments: tuple[str, ...], text: str) -> None:
    write(svc, CODES)
    ran = svc("import", *arguments)
    assert (ran.code, text in ran.err) == (2, True), ran.err


def test_another_account_s_rows_are_its_own(svc: Command, service: Service, created: list[dict[str, Any]]) -> None:
    write(svc, CODES)
    svc("import", "qr", "create", "--csv", "codes.csv")
    service.tools["svc_me"] = lambda arguments, request: ok({"email": "bo@example.com"})
    svc("import", "qr", "create", "--csv", "codes.csv")
    assert len(set(keys(service))) == 6
    assert len(created) == 6


def test_a_journal_cut_short_only_repeats_under_the_same_key(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    write(svc, CODES)
    svc("import", "qr", "create", "--csv", "codes.csv")
    (journal,) = (svc.home / "state" / "svc" / "imports").iterdir()
    journal.write_text(journal.read_text()[:-4])
    assert json.loads(svc("import", "qr", "create", "--csv", "codes.csv").out)["sent"] == 1
    assert len(set(keys(service))) == 3
