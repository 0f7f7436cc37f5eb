"""`svc import` to a tool that accepts a list: many rows per call, each sent once whatever happens."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import threading
from typing import Any

import pytest
from loopback import Command, Reply, Request, Service, ok, refuse

IMPORT = ("import", "menu", "save", "items", "--menu-id", "m", "--csv", "codes.csv")


class Kitchen:
    """A replacement for the service that saves dishes: all or nothing, once per key."""

    def __init__(self) -> None:
        self.dishes: list[str] = []
        self.calls: list[dict[str, Any]] = []
        self.keys: dict[str, Any] = {}

    def __call__(self, arguments: dict[str, Any], request: Request) -> Reply:
        self.calls.append(arguments)
        key = request.headers.get("idempotency-key", "")
        if key in self.keys:
            assert self.keys[key] == arguments, "one key, one call"
            return ok({"items": []}, "Once is enough.")
        bad = [place for place, item in enumerate(arguments["items"]) if item["name"] == "bad"]
        if bad:
            issues = [{"path": f"items.{place}.name", "message": "Not nice"} for place in bad]
            return refuse(400, "invalid_input", "Some arguments do not fit.", issues=issues)
        if not arguments.get("dry_run"):
            self.keys[key] = arguments
            self.dishes += [item["name"] for item in arguments["items"]]
        return ok({"items": []}, f"Added {len(arguments['items'])} items.")

    @property
    def sizes(self) -> list[int]:
        return [len(call["items"]) for call in self.calls]


@pytest.fixture
def kitchen(service: Service) -> Kitchen:
    made = Kitchen()
    service.tools["svc_menu_save_items"] = made
    return made


def names(count: int, *bad: int) -> list[str]:
    return ["bad" if number in bad else f"Dish {number}" for number in range(count)]


def lay(svc: Command, dishes: list[str]) -> None:
    svc.write("name,price\n" + "".join(f"{name},5\n" for name in dishes))


def test_many_rows_are_sent_in_one_call_with_their_shared_arguments(svc: Command, kitchen: Kitchen) -> None:
    lay(svc, names(230))
    ran = svc(*IMPORT)
    assert ran.code == 0, ran.err
    assert (kitchen.sizes, kitchen.dishes) == ([100, 100, 30], names(230))
    assert kitchen.calls[0]["menu_id"] == "m"
    assert "230 sent, 0 failed." in ran.err
    assert "Rows 2 to 101: Added 100 items." in ran.err
    assert ran.json["results"][2]["rows"] == list(range(202, 232))
    assert svc(*IMPORT).json == {"sent": 0, "failed": 0, "sent_before": 230, "results": []}
    assert len(kitchen.calls) == 3


def test_rows_of_different_parents_are_sent_in_separate_calls(svc: Command, kitchen: Kitchen) -> None:
    svc.write("menu_id,name\na,Soup\na,Pie\nb,Tea\n")
    assert svc("import", "menu", "save", "items", "--csv", "-", stdin=(svc.home / "codes.csv").read_bytes()).code == 0
    assert [(call["menu_id"], len(call["items"])) for call in kitchen.calls] == [("a", 2), ("b", 1)]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (
            ("import", "menu", "save", "items", "--csv", "codes.csv"),
            "menu_id: Required. Add a column",
        ),
        ((*IMPORT, "--name", "x"), "--name: set this in the rows of the file"),
        ((*IMPORT, "--color", "x"), "No such option"),
        ((*IMPORT[:-1], "other.csv"), "Column 'menu_id'"),
    ],
)
def test_invalid_input_sends_nothing(svc: Command, kitchen: Kitchen, typed: tuple[str, ...], text: str) -> None:
    lay(svc, names(2))
    svc.write("menu_id,name\na,Soup\n", "other.csv")
    ran = svc(*typed)
    assert (ran.code, kitchen.calls) == (2, []), ran.err
    assert text in ran.err


def test_a_refused_row_is_named_and_the_others_of_its_call_are_sent_without_it(svc: Command, kitchen: Kitchen) -> None:
    lay(svc, names(5, 1, 3))
    ran = svc(*IMPORT)
    assert (ran.code, kitchen.dishes) == (1, ["Dish 0", "Dish 2", "Dish 4"])
    assert "Row 3: name: Not nice" in ran.err
    assert "Row 5: name: Not nice" in ran.err
    failed = svc.home / "codes.csv.errors.csv"
    rows = list(csv.DictReader(failed.read_text(encoding="utf-8-sig").splitlines()))
    assert [row["error"] for row in rows] == ["name: Not nice"] * 2
    svc(*IMPORT)
    assert kitchen.sizes == [5, 3, 2], "a rerun asks for nothing but the refused ones"


def test_a_call_refused_as_a_whole_stops_the_import_and_no_row_counts_as_failed(svc: Command, service: Service) -> None:
    lay(svc, names(150))
    service.tools["svc_menu_save_items"] = lambda arguments, request: refuse(404, "not_found", "There is no such menu.")
    ran = svc(*IMPORT)
    assert ran.code == 1
    assert "Rows 2 to 101 could not be sent: There is no such menu." in ran.err
    assert "run the same command again" not in ran.err
    assert len(service.calls_of("svc_menu_save_items")) == 1
    assert not (svc.home / "codes.csv.errors.csv").exists()


def test_rows_over_the_limit_of_the_plan_do_not_count_as_sent(svc: Command, service: Service) -> None:
    svc.write("name,id\nSoup,\nPie,i_1\nTea,\nCake,\n")
    service.tools["svc_menu_save_items"] = lambda arguments, request: ok({"did_not_fit": 2}, "Made 1.")
    ran = svc(*IMPORT)
    assert (ran.code, ran.json["sent"], ran.json["failed"]) == (1, 2, 2)
    assert "Row 4: You have reached your plan's limit" in ran.err
    assert svc(*IMPORT).json["sent_before"] == 2


def test_a_dry_run_sends_the_same_calls_and_writes_no_journal(svc: Command, kitchen: Kitchen) -> None:
    lay(svc, names(120))
    ran = svc(*IMPORT, "--dry-run")
    assert (ran.code, kitchen.dishes, kitchen.sizes) == (0, [], [100, 20])
    assert "120 would be sent, 0 failed. Dry run: nothing was changed." in ran.err
    assert svc(*IMPORT).json["sent"] == 120


@pytest.mark.parametrize("arrived", [True, False])
def test_a_call_with_an_unknown_outcome_is_sent_again_unchanged(svc: Command, service: Service, arrived: bool) -> None:
    kitchen = Kitchen()

    def drop(arguments: dict[str, Any], request: Request) -> Reply:
        reply = kitchen(arguments, request) if arrived or len(service.calls_of("svc_menu_save_items")) == 1 else None
        return Reply(b"", hang_up=True) if reply is None or len(kitchen.calls) == 3 else reply

    service.tools["svc_menu_save_items"] = drop
    lay(svc, names(250, 0))
    assert svc(*IMPORT).code == 1
    service.tools["svc_menu_save_items"] = kitchen
    assert svc(*IMPORT).code == 1
    assert sorted(kitchen.dishes) == sorted(names(250)[1:])


def test_ctrl_c_shows_how_many_rows_were_sent_and_a_rerun_continues(
    svc: Command, service: Service, kitchen: Kitchen
) -> None:
    lay(svc, names(250))
    reached, go_on = threading.Event(), threading.Event()

    def slow(arguments: dict[str, Any], request: Request) -> Reply:
        reply = kitchen(arguments, request)
        if len(kitchen.calls) == 2:
            reached.set()
            go_on.wait(60)
        return reply

    service.tools["svc_menu_save_items"] = slow
    process = subprocess.Popen(
        [*svc.argv, *IMPORT],
        env=svc.env,
        cwd=svc.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # a shell ignores SIGINT for background processes, and children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert reached.wait(60)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    go_on.set()
    assert process.returncode == 130, err
    assert b"Stopped after 100 of 250 rows." in err
    assert b"run the same command again. The last call may have been processed. The next run will check this." in err
    assert json.loads(out)["sent"] == 100
    ran = svc(*IMPORT)
    assert (ran.code, ran.json["sent"], ran.json["sent_before"]) == (0, 150, 100)
    assert kitchen.dishes == names(250)
    assert kitchen.sizes == [100, 100, 100, 50], "the call under way came twice and was done once"


def test_a_call_that_the_service_is_still_processing_is_awaited(
    svc: Command, service: Service, kitchen: Kitchen
) -> None:
    lay(svc, names(3))
    busy = refuse(409, "conflict", "The same request is still in progress", retryAfter=0)
    answers = [busy, busy]
    service.tools["svc_menu_save_items"] = lambda arguments, request: (
        answers.pop() if answers else kitchen(arguments, request)
    )
    assert (svc(*IMPORT).code, kitchen.dishes) == (0, names(3))
