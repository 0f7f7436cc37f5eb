"""Output: its destination and its format."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from typing import Any

import pytest
from loopback import Command, Service, ok

CODES = [
    {"id": "qr_01JABCDEFGHJKMNPQRSTVWXYZ", "name": "Menü", "scans": 3, "paused": False, "tags": ["a", "b"]},
    {"id": "qr_02JABCDEFGHJKMNPQRSTVWXYZ", "name": "Door, left", "scans": 0, "paused": True, "note": None},
]
LIST: dict[str, Any] = {"total": 5, "count": 2, "offset": 0, "has_more": True, "items": CODES}


@pytest.fixture(autouse=True)
def _answers(service: Service) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: ok(LIST, "# 2 codes")
    service.tools["svc_qr_create"] = lambda arguments, request: ok(CODES[0], "Created **Menü**.")


CREATE = ("qr", "create", "--name", "x", "--target-url", "y")


def test_data_is_printed_as_json_if_stdout_is_not_a_terminal(svc: Command) -> None:
    ran = svc("qr", "list")
    assert (ran.json, ran.err) == (LIST, "")
    assert "Menü" in ran.out
    assert svc(*CREATE).json == CODES[0]
    assert svc("qr", "list", "--json", SVC_OUTPUT="csv").json == LIST
    assert svc("call", "svc_qr_list", "--output", "json").json == LIST


def test_on_a_terminal_lists_are_tables_and_single_results_are_text(svc: Command) -> None:
    shown = svc.on_terminal("qr", "list").out
    assert "\x1b[1mNAME" in shown
    assert "Door, left" in shown
    assert "Showing 2 of 5. For more, use --offset 2" in shown
    assert svc.on_terminal(*CREATE).out == "Created **Menü**.\n"
    assert svc.on_terminal("qr", "list", "--json").out.startswith("{")


def test_no_color_disables_escape_sequences(svc: Command) -> None:
    assert "\x1b" not in svc.on_terminal("qr", "list", NO_COLOR="1").out


def test_the_output_format_can_be_set_by_flag_and_environment(svc: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(svc("qr", "list", "--output", "csv").out)))
    assert [row["name"] for row in rows] == ["Menü", "Door, left"]
    assert rows[0]["tags"] == '["a", "b"]'
    assert (rows[1]["paused"], rows[1]["note"]) == ("true", "")
    assert svc("qr", "list", SVC_OUTPUT="csv").out == svc("qr", "list", "--output", "csv").out
    assert svc("qr", "list", "--output", "text").out == "# 2 codes\n"
    assert svc(*CREATE, "--output", "table").out.splitlines()[0].split() == ["FIELD", "VALUE"]
    ran = svc("qr", "list", SVC_OUTPUT="xml")
    assert (ran.code, "SVC_OUTPUT" in ran.err) == (2, True)


def test_csv_texts_do_not_run_as_formulas(service: Service, svc: Command) -> None:
    texts = ["=1+1", "+43 1", "-", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
    texts += ["＝1+1", "＋43", "－1", "＠SUM(A1)", "﹦1", "  =1", "\u3000＝1", "\u200b=1"]
    rows = [{"name": text, "sum": -5, "=head": "a=b"} for text in texts]
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": rows})
    written = list(csv.reader(io.StringIO(svc("qr", "list", "--output", "csv").out, newline="")))
    assert written[0] == ["name", "sum", "'=head"]
    assert [row[1:] for row in written[1:]] == [["-5", "a=b"]] * len(texts)
    assert [row[0] for row in written[1:]] == [f"'{text}" for text in texts]


def test_an_empty_list_is_reported(service: Service, svc: Command) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": [], "total": 0})
    assert svc.on_terminal("qr", "list").out == "No entries.\n"
    assert svc("qr", "list", "--output", "csv").out == ""


def test_texts_of_guests_cannot_control_the_terminal(service: Service, svc: Command) -> None:
    evil = "hi \x1b]0;owned\x07\x9b31m"
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": [{"name": evil}]})
    service.tools["svc_qr_create"] = lambda arguments, request: ok({}, evil)
    for shown in (svc.on_terminal("qr", "list", NO_COLOR="1").out, svc.on_terminal(*CREATE).out):
        assert "hi " in shown
        assert not any(character in shown for character in "\x1b\x07\x9b")


def test_a_closed_pipe_causes_no_error(service: Service, svc: Command) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": [{"name": "x" * 1000}] * 1000})
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*svc.argv, "qr", "list"], env=svc.env, stdout=writer, stderr=subprocess.PIPE, timeout=120)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_pipe_causes_no_error_for_help(svc: Command) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*svc.argv, "--help"], env=svc.env, stdout=writer, stderr=subprocess.PIPE, timeout=120)
    os.close(writer)
    assert done.stderr == b""


def test_a_terminal_without_utf8_still_gets_the_data(svc: Command) -> None:
    ran = svc("qr", "list", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ran.json == LIST
    assert "Men?" in svc("qr", "list", "--output", "table", PYTHONIOENCODING="ascii").out


def test_the_key_is_never_printed(service: Service, svc: Command) -> None:
    service.tools.pop("svc_qr_list")
    for ran in (svc("qr", "list"), svc("login", "--with-token", stdin=svc.env["SVC_API_KEY"]), svc("logout")):
        assert svc.env["SVC_API_KEY"] not in ran.out + ran.err
