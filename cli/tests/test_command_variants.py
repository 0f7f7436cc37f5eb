"""Variants of commands: an id without its flag, all pages, files, verbose output."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from loopback import Command, Reply, Request, Service, ok, refuse


def echo(arguments: dict[str, Any], request: Request) -> Reply:
    return ok(arguments)


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        (("qr", "update", "target", "qr_1", "--target-url", "y"), {"id": "qr_1", "target_url": "y"}),
        (("qr", "delete", "qr_1", "qr_2", "--yes"), {"ids": ["qr_1", "qr_2"]}),
        (("qr", "delete", "--ids", "qr_1", "--ids", "qr_2", "--yes"), {"ids": ["qr_1", "qr_2"]}),
        (("card", "export", "leads"), {"kind": "leads"}),
        (("undo", "chg_1"), {"change_id": "chg_1"}),
    ],
)
def test_the_main_id_needs_no_flag(svc: Command, service: Service, typed: tuple[str, ...], sent: Any) -> None:
    for name in ("svc_qr_update_target", "svc_qr_delete", "svc_card_export", "svc_undo"):
        service.tools[name] = echo
    assert svc(*typed).json == sent


def test_every_write_has_a_dry_run_flag_that_asks_no_confirmation(svc: Command, service: Service) -> None:
    service.tools["svc_qr_delete"] = echo
    assert svc("qr", "delete", "qr_1", "--dry-run").json == {"ids": ["qr_1"], "dry_run": True}
    assert svc("call", "svc_qr_delete", "--json", '{"ids": ["qr_1"]}', "--dry-run").json["dry_run"] is True
    assert svc("qr", "delete", "qr_1").code == 2


def pages(service: Service, count: int) -> None:
    rows = [{"id": f"qr_{number}", "name": f"Äpfel {number}"} for number in range(count)]

    def listed(arguments: dict[str, Any], request: Request) -> Reply:
        offset, limit = int(arguments.get("offset", 0)), int(arguments.get("limit", 50))
        shown = rows[offset : offset + limit]
        more = offset + len(shown) < count
        counts = {"total": count, "count": len(shown), "offset": offset, "has_more": more}
        return ok({**counts, "items": shown}, f"From {offset}.")

    service.tools["svc_qr_list"] = listed


def test_all_fetches_every_page(svc: Command, service: Service) -> None:
    pages(service, 450)
    found = svc("qr", "list", "--all").json
    assert [row["id"] for row in found["items"]] == [f"qr_{number}" for number in range(450)]
    assert (found["count"], found["total"], found["has_more"]) == (450, 450, False)
    assert [request.query.get("offset") for request in service.calls_of("svc_qr_list")] == [None, "200", "400"]
    assert "For more, use --offset 50 or --all" in svc("qr", "list", "--output", "table").err


def test_csv_writes_rows_to_a_file_or_to_standard_output(svc: Command, service: Service) -> None:
    pages(service, 3)
    shown = svc("qr", "list", "--csv", "-")
    assert [row["id"] for row in csv.DictReader(io.StringIO(shown.out))] == ["qr_0", "qr_1", "qr_2"]
    ran = svc("qr", "list", "--csv", "all.csv")
    assert (ran.out, ran.err) == ("", "Wrote 3 rows to all.csv.\n")
    written = (svc.home / "all.csv").read_text(encoding="utf-8-sig")
    assert written == shown.out
    assert svc("qr", "list", "--csv", "none/all.csv").code == 1


def test_a_file_created_by_a_tool_is_written_unchanged(svc: Command, service: Service) -> None:
    table = {"file_name": "leads.csv", "file_url": f"{service.url}/files/x", "content": "name\r\nÄ\r\n"}
    service.tools["svc_card_export"] = lambda arguments, request: ok(table)
    assert svc("card", "export", "leads", "--csv", "-").out == "name\r\nÄ\r\n"
    assert svc("card", "export", "leads", "--save", "l.csv").err == "Wrote leads.csv to l.csv.\n"
    assert (svc.home / "l.csv").read_bytes() == "name\r\nÄ\r\n".encode()
    assert svc("card", "export", "leads", "--save", "a", "--csv", "b").code == 2


def test_a_large_file_is_fetched_with_the_key_only_from_the_service_of_the_key(svc: Command, service: Service) -> None:
    # the URL from the service may contain another host, such as the public one
    told = {"file_name": "cards.vcf", "file_url": "https://elsewhere.example/files/x?kind=vcards"}
    service.tools["svc_card_export"] = lambda arguments, request: ok(told)
    service.paths["/files/x"] = lambda request: Reply(b"BEGIN:VCARD\r\n")
    assert svc("card", "export", "vcards", "--save", "-").out == "BEGIN:VCARD\r\n"
    assert service.requests[-1].query == {"kind": "vcards"}
    assert "authorization" in service.requests[-1].headers
    assert "not CSV" in svc("card", "export", "vcards", "--csv", "-").err
    service.paths["/files/x"] = lambda request: refuse(404, "not_found", "Its time is up")
    assert "Its time is up" in svc("card", "export", "vcards", "--save", "-").err


@pytest.mark.parametrize("typed", [("--verbose", "qr", "list"), ("qr", "list", "--verbose")])
def test_verbose_shows_each_request_with_its_id_and_never_the_key(
    svc: Command, service: Service, typed: tuple[str, ...]
) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": []}, X_Request_Id="req-12345")
    ran = svc(*typed)
    assert "GET /api/v1/qr/list 200" in ran.err
    assert "request req-12345" in ran.err
    assert svc.env["SVC_API_KEY"] not in ran.err
    assert svc("qr", "list").err == ""


def test_an_internal_error_is_shown_with_the_request_id(svc: Command, service: Service) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: refuse(
        500, "internal_error", "Something went wrong here.", request_id="req-9"
    )
    assert "req-9" in svc("qr", "list").err


def test_svc_without_a_command_shows_the_help(svc: Command) -> None:
    for typed in ((), ("qr",)):
        ran = svc(*typed)
        assert (ran.code, ran.err) == (0, "")
        assert "Usage: svc" in ran.out


def test_version(svc: Command) -> None:
    assert svc("version").out == svc("--version").out
    assert svc("version").out.startswith("svc ")


def test_bash_completes_words_flags_and_choices(svc: Command, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "svc"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {svc.argv[0]} -P -m svc "$@"\n')
    program.chmod(0o755)
    env = {**svc.env, "PATH": f"{program.parent}:{os.environ['PATH']}"}

    def complete(*words: str) -> list[str]:
        typed = " ".join(f"'{word}'" for word in words)
        script = (
            'eval "$(svc completion bash)"\n'
            f"COMP_WORDS=(svc {typed}); COMP_CWORD={len(words)}; _svc_completion svc\n"
            'printf "%s\\n" "${COMPREPLY[@]}"\n'
            "complete -p svc >&2\n"
        )
        done = subprocess.run(["bash", "--norc", "-c", script], env=env, capture_output=True, text=True, timeout=120)
        assert "_svc_completion svc" in done.stderr, done.stderr
        return done.stdout.split()

    assert {"qr", "card", "completion"} <= set(complete(""))
    assert "update" in complete("qr", "")
    assert complete("menu", "save", "items", "--allergens.m") == ["--allergens.milk"]
    assert complete("menu", "save", "items", "--allergens.milk", "c") == ["contains"]
    assert complete("completion", "z") == ["zsh"]


@pytest.mark.parametrize(("shell", "text"), [("zsh", "compdef _svc_completion svc"), ("fish", "complete ")])
def test_other_shells_have_completion_scripts(svc: Command, shell: str, text: str) -> None:
    assert text in svc("completion", shell).out
    assert svc("completion", "tcsh").code == 2
