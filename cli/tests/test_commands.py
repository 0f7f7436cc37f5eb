"""Commands built from the catalog."""

from __future__ import annotations

import json

import pytest
from loopback import KEY, Command, Service, ok, refuse


def test_a_tool_is_a_command_and_its_arguments_are_flags(svc: Command, service: Service) -> None:
    service.tools["svc_qr_create"] = lambda arguments, request: ok({"id": "qr_1", **arguments})
    ran = svc("qr", "create", "--name", "Menü", "--target-url", "example.com")
    assert (ran.code, ran.json) == (0, {"id": "qr_1", "name": "Menü", "target_url": "example.com"})
    (request,) = service.calls_of("svc_qr_create")
    assert (request.method, request.path) == ("POST", "/api/v1/qr/create")
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_reads_use_get_with_typed_arguments(svc: Command, service: Service) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": [], "total": 0})
    assert svc("qr", "list", "--limit", "5", "--q", "a&b=ü").code == 0
    (request,) = service.calls_of("svc_qr_list")
    assert (request.method, request.query) == ("GET", {"limit": "5", "q": "a&b=ü"})


@pytest.mark.parametrize(
    "words",
    [("qr", "update", "target"), ("qr", "update-target"), ("qr-update-target",), ("qr", "update_target")],
)
def test_words_may_be_joined_by_hyphens(svc: Command, service: Service, words: tuple[str, ...]) -> None:
    service.tools["svc_qr_update_target"] = lambda arguments, request: ok(arguments)
    assert svc(*words, "--id", "qr_1", "--target-url", "x.org").json == {"id": "qr_1", "target_url": "x.org"}


def test_flags_keep_their_types(svc: Command, service: Service) -> None:
    service.tools["svc_card_create"] = service.tools["svc_bid_create"] = lambda arguments, request: ok(arguments)
    (svc.home / "links.json").write_text('[{"url": "https://b.org"}]')
    ran = svc("card", "create", "--full-name", "007", "--no-lead-capture", "--links", '[{"url": "https://a.org"}]')
    assert ran.json == {"full_name": "007", "lead_capture": False, "links": [{"url": "https://a.org"}]}
    ran = svc("card", "create", "--full-name", "-x", "--lead-capture", "--links", "@links.json", "--theme", "{}")
    assert ran.json == {
        "full_name": "-x",
        "lead_capture": True,
        "links": [{"url": "https://b.org"}],
        "theme": {},
    }
    assert svc("bid", "create", "--title", "T", "--tax-rate", "8.25").json == {"title": "T", "tax_rate": 8.25}


def test_arguments_named_like_svcs_own_flags_are_available(svc: Command, service: Service) -> None:
    service.tools["svc_report_run"] = lambda arguments, request: ok(arguments)
    ran = svc("report", "run", "--from", "May", "--arg-output", "pdf", "--arg-json", "--output", "json")
    assert ran.json == {"from": "May", "output": "pdf", "json": True}


def test_help_shows_flags_defaults_choices_and_required_arguments(svc: Command, service: Service) -> None:
    shown = svc("qr", "create", "--help").out
    assert "Make a dynamic QR code" in shown
    assert "--target-url TEXT" in shown
    assert "A label for you alone. [required]" in " ".join(shown.split())
    assert "How many. [default: 50; 1 to 200]" in " ".join(svc("qr", "list", "--help").out.split())
    assert "[draft|sent|viewed|approved|declined]" in svc("bid", "list", "--help").out
    assert "--lead-capture / --no-lead-capture" in svc("card", "create", "--help").out
    assert "details. [default: true]" in " ".join(svc("card", "create", "--help").out.split())
    assert "update target" in svc("qr", "--help").out
    assert service.requests == []


def test_help_lists_svcs_own_commands_and_products(svc: Command) -> None:
    shown = svc("--help").out
    assert "login" in shown
    assert "QR codes" in shown


def test_a_group_of_one_command_is_described_by_it(svc: Command) -> None:
    rows = [line.split(maxsplit=1) for line in svc("--help").out.splitlines()]
    lines = {row[0]: row[1] for row in rows if len(row) == 2}
    assert (lines["list"], lines["upload"], lines["qr"]) == ("List products", "Send a picture", "QR codes")
    assert "List products" in svc("list", "--help").out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("qr", "create"), "Missing --name and --target-url."),
        (("qr", "create", "--name", "x"), "Missing --target-url."),
        (("qr", "list", "--limit", "many"), "must be a whole number"),
        (("qr", "list", "--limit", "1.5"), "must be a whole number"),
        (("qr", "list", "--limit", "500"), "must be at most 200"),
        (("qr", "list", "--limit", "0"), "must be at least 1"),
        (("qr", "create", "--name", "x", "--target-url", "y" * 2001), "must be at most 2000 characters"),
        (("qr", "list", "--all", "--limit", "5"), "leave out --limit and --offset"),
        (("qr", "update", "target", "qr_1", "--id", "qr_2", "--target-url", "y"), "--id is set twice"),
        (
            ("card", "create", "--full-name", "A", "--links", "[]", "--links.0.url", "x"),
            "Use either --links or --links.0.url",
        ),
        (("bid", "list", "--status", "sold"), "must be one of: draft, sent"),
        (("bid", "create", "--title", "T", "--tax-rate", "nan"), "must be a number"),
        (("card", "create", "--full-name", "A", "--links", "[{]"), "is not valid JSON"),
        (("card", "create", "--full-name", "A", "--links", "{}"), "url: Required"),
        (("card", "create", "--full-name", "A", "--links", "[NaN]"), "NaN, which is not JSON"),
        (("card", "create", "--full-name", "A", "--links", "[" * 100_000), "nested too deeply"),
        (("card", "create", "--full-name", "A", "--links", "@none.json"), "could not read none.json"),
        (("qr", "create", "--nmae", "x"), "Did you mean '--name'?"),
        (("qr", "create", "stray"), "unexpected extra argument"),
    ],
)
def test_usage_errors_exit_2_and_send_nothing(
    svc: Command, service: Service, arguments: tuple[str, ...], text: str
) -> None:
    ran = svc(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert text in ran.err
    assert [request.path for request in service.requests if request.path != "/api/v1/tools"] == []


def test_text_that_is_not_utf8_is_refused(svc: Command, service: Service) -> None:
    ran = svc("qr", "list", "--q", b"\xff".decode("utf-8", "surrogateescape"))
    assert ran.code == 2
    assert "not valid UTF-8" in ran.err


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        (("qr", "crate", "--name", "x"), "svc qr create"),
        (("qr", "updat", "target"), "svc qr update target"),
        (("crads",), None),
        (("tols",), "svc tools"),
        (("list", "product"), "svc list products"),
    ],
)
def test_an_unknown_command_suggests_the_nearest(svc: Command, typed: tuple[str, ...], near: str | None) -> None:
    ran = svc(*typed)
    assert ran.code == 2
    assert "No such command" in ran.err
    assert (f"Did you mean: {near}" if near else "All commands: svc tools") in ran.err


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (400, "tool_error", 1),
        (404, "not_found", 1),
        (400, "invalid_input", 1),
        (409, "conflict", 1),
        (500, "server_error", 1),
        (503, "unavailable", 1),
        (401, "unauthorized", 3),
        (403, "forbidden", 3),
        (429, "rate_limited", 4),
    ],
)
def test_errors_have_their_exit_codes(svc: Command, service: Service, status: int, error: str, code: int) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: refuse(status, error, "Not this time.")
    ran = svc("qr", "list")
    assert (ran.code, ran.out) == (code, "")
    assert "Not this time." in ran.err


def test_issues_name_the_flags(svc: Command, service: Service) -> None:
    issues = [
        {"path": "target_url", "message": "Not an address"},
        {"path": "links.2.url", "message": "Required"},
    ]
    service.tools["svc_qr_create"] = lambda arguments, request: refuse(
        400, "invalid_input", "Some arguments do not fit.", issues=issues
    )
    ran = svc("qr", "create", "--name", "x", "--target-url", "y")
    assert "--target-url: Not an address" in ran.err
    assert "links.2.url: Required" in ran.err


def test_a_message_that_only_repeats_the_issues_is_shown_once(svc: Command, service: Service) -> None:
    service.tools["svc_qr_create"] = lambda arguments, request: refuse(
        400, "invalid_input", "name: Too long", issues=[{"path": "name", "message": "Too long"}]
    )
    ran = svc("qr", "create", "--name", "x", "--target-url", "y")
    assert ran.err == "Error: The service rejected this input:\n  --name: Too long\n"


def test_a_file_is_sent_as_base64_if_the_tool_requires_it(svc: Command, service: Service) -> None:
    service.tools["svc_upload_file"] = lambda arguments, request: ok(arguments)
    (svc.home / "a.png").write_bytes(b"\x89PNG" * 100_000)
    assert svc("upload", "file", "--content", "@a.png").json["content"].startswith("iVBOR")
    assert svc("upload", "file", "--content", "@none.png").code == 2


def test_the_time_until_the_quota_resets_is_shown_in_hours(svc: Command, service: Service) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: refuse(
        429, "rate_limited", "Daily limit reached.", retryAfter=12_000
    )
    assert "make calls again in 3 h 20 min" in svc("qr", "list").err


def test_destructive_tools_require_yes_without_a_terminal(svc: Command, service: Service) -> None:
    service.tools["svc_booking_cancel"] = lambda arguments, request: ok(arguments)
    ran = svc("booking", "cancel", "--id", "b_1")
    assert ran.code == 2
    assert "Add --yes" in ran.err
    assert svc("call", "svc_booking_cancel", "--json", '{"id": "b_1"}').code == 2
    assert service.requests == []
    assert svc("booking", "cancel", "--id", "b_1", "--yes").json == {"id": "b_1"}
    assert svc("call", "svc_booking_cancel", "--json", '{"id": "b_1"}', "--yes").json == {"id": "b_1"}


@pytest.mark.parametrize(("typed", "code", "calls"), [("y\n", 0, 1), ("n\n", 1, 0), ("", 130, 0)])
def test_destructive_tools_ask_for_confirmation_on_a_terminal(
    svc: Command, service: Service, typed: str, code: int, calls: int
) -> None:
    service.tools["svc_booking_cancel"] = lambda arguments, request: ok(arguments, text="Cancelled.")
    interrupt_at = "" if typed else "[y/N]"
    ran = svc.on_terminal("booking", "cancel", "--id", "b_1", typed=typed, interrupt_at=interrupt_at)
    assert "“Cancel a booking” is destructive. Continue?" in ran.out
    assert (ran.code, len(service.calls_of("svc_booking_cancel"))) == (code, calls)


def test_a_write_may_have_an_idempotency_key(svc: Command, service: Service) -> None:
    service.tools["svc_qr_create"] = lambda arguments, request: ok(arguments)
    assert svc("qr", "create", "--name", "x", "--target-url", "y", "--idempotency-key", "once").code == 0
    assert service.calls_of("svc_qr_create")[0].headers["idempotency-key"] == "once"
    ran = svc("qr", "create", "--name", "x", "--target-url", "y", "--idempotency-key", "k" * 257)
    assert ran.code == 2


def test_call_runs_any_tool_with_json_from_flag_file_or_stdin(svc: Command, service: Service) -> None:
    service.tools["svc_qr_create"] = lambda arguments, request: ok(arguments)
    arguments = {"name": "x", "target_url": "y"}
    (svc.home / "a.json").write_text(json.dumps(arguments))
    assert svc("call", "svc_qr_create", "--json", json.dumps(arguments)).json == arguments
    assert svc("call", "svc_qr_create", "--json", "@a.json").json == arguments
    assert svc("call", "svc_qr_create", "--json", "-", stdin=json.dumps(arguments)).json == arguments
    assert svc("call", "svc_me").json["email"] == "ada@example.com"
    assert {request.path for request in service.requests} == {"/api/v1/call"}


@pytest.mark.parametrize("given", ["{", "[]", '"x"', '{"a": 1, "a": 2}', '{"a": NaN}', "@none.json"])
def test_call_refuses_anything_but_a_json_object(svc: Command, service: Service, given: str) -> None:
    assert svc("call", "svc_me", "--json", given).code == 2
    assert service.requests == []


def test_call_suggests_the_nearest_tool(svc: Command) -> None:
    ran = svc("call", "svc_qr_craete")
    assert ran.code == 2
    assert "Did you mean: svc_qr_create" in ran.err


def test_call_suggests_nothing_if_no_name_is_similar(svc: Command) -> None:
    ran = svc("call", "svc_nope")
    assert ran.code == 2
    assert "All tools: svc tools" in ran.err
    assert "Did you mean" not in ran.err


def test_errors_name_commands_instead_of_tools(svc: Command, service: Service) -> None:
    issues = [{"path": "id", "message": "svc_qr_list shows them; svc_qr_lists is none"}]
    service.tools["svc_qr_list"] = lambda arguments, request: refuse(
        404, "not_found", "No such code: svc_qr_list shows yours, `svc_qr_update_target` moves it", issues=issues
    )
    for ran in (svc("qr", "list"), svc("call", "svc_qr_list")):
        assert "No such code: `svc qr list` shows yours, `svc qr update target` moves it\n" in ran.err
        assert "id: `svc qr list` shows them; svc_qr_lists is none" in ran.err


def test_help_names_commands_instead_of_tools(svc: Command, service: Service) -> None:
    tool = {**service.catalogue["tools"][2], "name": "svc_qr_sing", "path": "/api/v1/qr/sing"}
    service.catalogue["tools"].append({**tool, "description": "Sings. svc_qr_list shows what."})
    assert "Sings. `svc qr list` shows what." in svc("qr", "sing", "--help").out


def test_completion_includes_words_flags_and_choices(svc: Command) -> None:
    def complete(line: str) -> str:
        count = str(len(line.split(" ")) - 1)
        return svc(_SVC_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=count).out

    assert "plain,create" in complete("svc qr ")
    assert "plain,--target-url" in complete("svc qr create --t")
    assert "plain,declined" in complete("svc bid list --status d")
    assert "_SVC_COMPLETE=zsh_complete" in svc(_SVC_COMPLETE="zsh_source").out
