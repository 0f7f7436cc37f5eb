"""`svc import`: the whole file is checked first, each row is sent once, and a rerun continues."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any

import pytest
from loopback import Command, Reply, Service, ok, refuse

CODES = "name,target-url\nDoor,a.example\nTable 1,b.example\nTable 2,c.example\n"
Run = Callable[..., Any]


def keys(service: Service, tool: str = "svc_qr_create") -> list[str]:
    return [request.headers["idempotency-key"] for request in service.calls_of(tool)]


def test_each_row_is_one_call(svc: Command, service: Service, created: list[dict[str, Any]]) -> None:
    svc.write(CODES)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, ran.err) == (0, "3 sent, 0 failed.\n")
    assert created[1] == {"name": "Table 1", "target_url": "b.example"}
    assert ran.json["results"][0] == {"row": 2, "ok": True, "data": {"id": "qr_1"}}
    assert len(set(keys(service))) == 3
    assert not (svc.home / "codes.csv.errors.csv").exists()


def test_a_rerun_sends_nothing_twice(svc: Command, service: Service, created: list[dict[str, Any]]) -> None:
    svc.write(CODES)
    svc("import", "qr-create", "--csv", "codes.csv")
    ran = svc("import", "svc_qr_create", "--csv", "codes.csv")
    assert (ran.code, len(created)) == (0, 3)
    assert "Skipped 3 of 3 rows that have already been sent" in ran.err
    first = keys(service)
    assert svc("import", "qr", "create", "--csv", "codes.csv", "--again").code == 0
    assert len(created) == 6
    assert not set(first) & set(keys(service)[3:])


def test_it_stops_at_the_daily_limit_and_continues_later(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write(CODES)
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


def test_an_unavailable_service_stops_the_import_with_1_and_no_row_counts_as_failed(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write(CODES)
    create = service.tools["svc_qr_create"]
    full = refuse(503, "unavailable", "Nothing can be saved at the moment.", retryAfter=60)
    service.tools["svc_qr_create"] = lambda arguments, request: full if created else create(arguments, request)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, len(created), len(keys(service))) == (1, 1, 2)
    assert "Nothing can be saved at the moment." in ran.err
    assert "run the same command again" in ran.err
    service.tools["svc_qr_create"] = create
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 0
    assert [row["name"] for row in created] == ["Door", "Table 1", "Table 2"]


def test_a_lost_connection_stops_the_import_with_1_and_the_row_keeps_its_key(svc: Command, service: Service) -> None:
    svc.write(CODES)
    service.tools["svc_qr_create"] = lambda arguments, request: Reply(b"", hang_up=True)
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 1
    service.tools["svc_qr_create"] = lambda arguments, request: ok({})
    assert svc("import", "qr", "create", "--csv", "codes.csv").code == 0
    assert len(set(keys(service))) == 3


def test_refused_rows_are_written_to_a_file_that_can_be_imported(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    path = svc.write(CODES)
    create = service.tools["svc_qr_create"]
    issues = [{"path": "target_url", "message": "Unreachable"}]
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
    assert row["error"] == "Some arguments do not fit. target_url: Unreachable"
    service.tools["svc_qr_create"] = create
    assert svc("import", "qr", "create", "--csv", failed.name).code == 0
    assert created[-1] == {"name": "Table 1", "target_url": "b.example"}


def test_the_issues_of_a_row_are_shown_in_one_line(svc: Command, service: Service) -> None:
    path = svc.write("name,target_url\nDoor,a.example\n")
    issues = [{"path": "target_url", "message": "A code cannot lead there"}, {"path": "name", "message": "Taken"}]
    message = "target_url: A code cannot lead there; name: Taken"
    service.tools["svc_qr_create"] = lambda arguments, request: refuse(400, "invalid_input", message, issues=issues)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert f"  Row 2: {message}\n" in ran.err
    assert f'"{message}"' in ran.out
    assert path.with_name("codes.csv.errors.csv").read_text(encoding="utf-8-sig").endswith(f",{message}\n")


def test_a_file_larger_than_the_quota_is_not_started_without_confirmation(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    left = {"RateLimit": '"daily";r=2;t=3600'}
    service.tools["svc_me"] = lambda arguments, request: ok({"email": "ada@example.com"}, **left)
    svc.write(CODES)
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, created) == (4, [])
    assert "3 rows need to be sent, but only 2 calls are left" in ran.err
    asked = svc.on_terminal("import", "qr", "create", "--csv", "codes.csv", typed="n\n")
    assert (asked.code, created) == (1, [])
    assert svc.on_terminal("import", "qr", "create", "--csv", "codes.csv", typed="y\n").code == 0
    assert len(created) == 3


def test_a_progress_bar_is_shown_only_on_a_terminal(svc: Command, created: list[dict[str, Any]]) -> None:
    svc.write(CODES)
    shown = svc.on_terminal("import", "qr", "create", "--csv", "codes.csv").out
    assert "3/3" in shown
    assert "3 sent, 0 failed." in shown
    assert '"results"' not in shown


def test_a_dry_run_checks_the_file_and_then_asks_the_service(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write("name,target_url\nDoor\n,b.example\n")
    assert svc("import", "qr", "create", "--csv", "codes.csv", "--dry-run").code == 2
    assert service.requests == []
    path = svc.write(CODES)
    ran = svc("import", "qr", "create", "--csv", "codes.csv", "--dry-run")
    assert (ran.code, "3 would be sent, 0 failed. Dry run: nothing was changed." in ran.err) == (0, True), ran.err
    assert [row["dry_run"] for row in created] == [True, True, True]
    assert "idempotency-key" not in service.requests[-1].headers
    create = service.tools["svc_qr_create"]
    service.tools["svc_qr_create"] = lambda arguments, request: (
        refuse(400, "tool_error", "No.") if arguments["name"] == "Door" else create(arguments, request)
    )
    ran = svc("import", "qr", "create", "--csv", "codes.csv", "--dry-run")
    assert (ran.code, "Row 2: No." in ran.err) == (1, True)
    assert not path.with_name("codes.csv.errors.csv").exists()
    service.tools["svc_qr_create"] = create
    assert svc("import", "qr", "create", "--csv", "codes.csv").json["sent"] == 3, "nothing counts as sent"


def test_destructive_imports_require_yes(svc: Command, service: Service) -> None:
    service.tools["svc_booking_cancel"] = lambda arguments, request: ok({})
    svc.write("id\nb_1\nb_2\n")
    assert svc("import", "booking", "cancel", "--csv", "codes.csv").code == 2
    assert service.requests == []
    assert svc("import", "booking", "cancel", "--csv", "codes.csv", "--yes").code == 0
    assert len(service.calls_of("svc_booking_cancel")) == 2


def test_an_invalid_key_stops_before_the_first_row(svc: Command, created: list[dict[str, Any]]) -> None:
    svc.write(CODES)
    assert svc("import", "qr", "create", "--csv", "codes.csv", SVC_API_KEY="svc_live_no").code == 3
    assert created == []


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("qr", "crate", "--csv", "codes.csv"), "Did you mean: svc import qr create"),
        (("qr", "create", "--csv", "none.csv"), "Could not read none.csv"),
        (("qr", "create"), "--csv"),
        (("--csv", "codes.csv"), "COMMAND"),
        (("qr", "create", "--name", "x", "--csv", "codes.csv"), "Column 'name'"),
    ],
)
def test_usage_errors_exit_2(svc: Command, arguments: tuple[str, ...], text: str) -> None:
    svc.write(CODES)
    ran = svc("import", *arguments)
    assert (ran.code, text in ran.err) == (2, True), ran.err


def test_the_journal_of_another_account_is_separate(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write(CODES)
    svc("import", "qr", "create", "--csv", "codes.csv")
    service.tools["svc_me"] = lambda arguments, request: ok({"email": "bo@example.com"})
    svc("import", "qr", "create", "--csv", "codes.csv")
    assert len(set(keys(service))) == 6
    assert len(created) == 6


def test_a_truncated_journal_only_repeats_calls_with_the_same_key(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write(CODES)
    svc("import", "qr", "create", "--csv", "codes.csv")
    (journal,) = (svc.home / "state" / "svc" / "imports").iterdir()
    journal.write_text(journal.read_text()[:-4])
    assert json.loads(svc("import", "qr", "create", "--csv", "codes.csv").out)["sent"] == 1
    assert len(set(keys(service))) == 3


def test_the_file_of_failed_rows_contains_no_formulas(svc: Command, service: Service) -> None:
    path = svc.write("name,target_url\n'=1+1,a.example\n")
    service.tools["svc_qr_create"] = lambda arguments, request: refuse(400, "tool_error", "No.")
    svc("import", "qr", "create", "--csv", "codes.csv")
    assert "'=1+1,a.example,No." in path.with_name("codes.csv.errors.csv").read_text(encoding="utf-8-sig")


def test_after_an_edit_only_new_and_changed_rows_are_sent(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write(CODES)
    svc("import", "qr", "create", "--csv", "codes.csv")
    svc.write("name,target-url\nTable 0,z.example\nDoor,a.example\nTable 2,changed.example\nTable 1,b.example\n")
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert (ran.code, ran.json["sent"], ran.json["sent_before"]) == (0, 2, 2)
    assert [row["target_url"] for row in created[3:]] == ["z.example", "changed.example"]
    svc.write("Target URL;Name\nz.example;Table 0\na.example;Door\n")
    assert svc("import", "qr", "create", "--csv", "codes.csv").json["sent"] == 0, "columns in another order"


def test_equal_rows_are_counted(svc: Command, service: Service, created: list[dict[str, Any]]) -> None:
    svc.write("name,target-url\nDoor,a.example\nDoor,a.example\n")
    svc("import", "qr", "create", "--csv", "codes.csv")
    assert len(created) == 2 and len(set(keys(service))) == 2
    svc.write("name,target-url\nDoor,a.example\nNew,b.example\nDoor,a.example\nDoor,a.example\n")
    ran = svc("import", "qr", "create", "--csv", "codes.csv")
    assert [row["name"] for row in created[2:]] == ["New", "Door"] and ran.json["sent_before"] == 2


def test_again_sends_the_rows_of_this_file_and_does_not_forget_others(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write(CODES)
    svc("import", "qr", "create", "--csv", "codes.csv")
    other = svc.write("name,target-url\nDoor,a.example\n").with_name("other.csv")
    other.write_text("name,target-url\nDoor,a.example\n")
    assert svc("import", "qr", "create", "--csv", "other.csv").json["sent"] == 0
    assert svc("import", "qr", "create", "--csv", "other.csv", "--again").json["sent"] == 1
    svc.write(CODES)
    assert svc("import", "qr", "create", "--csv", "codes.csv").json["sent"] == 0
    assert len(set(keys(service))) == 4


def test_a_pending_call_is_completed_unchanged_although_the_file_was_edited(svc: Command, service: Service) -> None:
    arrived: dict[str, Any] = {}
    is_cut = [True]

    def save(arguments: Any, request: Any) -> Reply:
        assert arrived.setdefault(request.headers["idempotency-key"], arguments) == arguments, "one key, one call"
        return Reply(b"", hang_up=True) if is_cut else ok({"items": []})

    service.tools["svc_menu_save_items"] = save
    command = ("import", "menu", "save", "items", "--menu-id", "m", "--csv", "codes.csv")
    svc.write("name,price\nSoup,5\nPie,6\n")
    assert svc(*command).code == 1
    is_cut.clear()
    svc.write("name,price\nPie,6\nStew,7\n")
    ran = svc(*command)
    assert (ran.code, ran.json["sent"], ran.json["sent_before"]) == (0, 3, 0)
    assert [[item["name"] for item in call["items"]] for call in arrived.values()] == [["Soup", "Pie"], ["Stew"]]
