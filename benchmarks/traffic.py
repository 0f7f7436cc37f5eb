"""Usual traffic compared with its floor: guests' scans and pages, and calls over REST and MCP.

It measures requests per second, processor time and waiting times over keep-alive connections, in one run.

    python benchmarks/traffic.py [SECONDS]

It runs on PostgreSQL if WORKSPACE_TEST_DATABASE_URL names a server. Both servers run on one core, and the load runs on
the others. Ratios are floor ÷ ours for processor time and waiting times, and ours ÷ floor for requests per second.
Larger is better.
"""

from __future__ import annotations

import shutil
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from answers import MODERN, Answers, build_call, build_list_request, rpc
from servers import Server, Service, connected, floor_of, on_one_core
from table import Row, markdown

CODES = 200
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


@dataclass(frozen=True, slots=True)
class Case:
    """A case. `cpu` and `rate` are the minimum ratios. `status` is the expected status of every answer."""

    what: str
    paths: list[str]
    connections: int = 16
    body: str = ""
    lines: tuple[str, ...] = ()
    status: int = 200
    cpu: float | None = None
    rate: float | None = None
    waits: float | None = None
    got: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {"ours": [], "floor": []})

    def requests(self, port: int) -> list[str]:
        head = [f"Host: 127.0.0.1:{port}", f"User-Agent: {PHONE}", "Accept-Language: en", *self.lines]
        if self.body:
            head += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
        method = "POST" if self.body else "GET"
        return ["\r\n".join([f"{method} {path} HTTP/1.1", *head, "", self.body]) for path in self.paths]


def cases(answers: Answers) -> Iterator[Case]:
    key = (f"Authorization: Bearer {answers.key}",)
    agent = (*key, "Accept: application/json, text/event-stream")
    yield Case("scan, 64 connections", answers.scans, 64, status=302, cpu=0.4, rate=1.2, waits=0.5)
    yield Case("scan, 16 connections", answers.scans, status=302, cpu=0.4)
    yield Case("scan, one connection", answers.scans, 1, status=302, rate=0.3)
    yield Case("page", [answers.page], cpu=0.5)
    yield Case("page, one connection", [answers.page], 1)
    yield Case("page, unchanged (304)", [answers.page], lines=(f"If-None-Match: {answers.etag}",), status=304)
    for name, arguments in answers.reads.items():
        goal = 0.3 if name == "svc_qr_list" else 0.25
        yield Case(f"{name} by REST", ["/api/v1/call"], body=build_call(name, arguments), lines=key, cpu=goal)
    for era, named in (("", ("Mcp-Protocol-Version: 2025-06-18",)), (", newer protocol", (MODERN,))):
        lines = (*agent, *named)
        yield Case(f"tools/list{era}", ["/mcp"], body=build_list_request(era), lines=(*lines, *rpc("tools/list", era)))
        name, arguments = "svc_qr_list", answers.reads["svc_qr_list"]
        body = build_call(name, arguments, era=era, is_mcp=True)
        yield Case(f"{name} by MCP{era}", ["/mcp"], body=body, lines=(*lines, *rpc("tools/call", era, name)))
    yield Case("svc_qr_create by REST", ["/api/v1/call"], body=build_call("svc_qr_create", answers.create), lines=key)


def measure(seconds: float = 1.0, rounds: int = 9, codes: int = CODES) -> list[Row]:
    """Return the measurements.

    The median of `rounds` is used, after one round for warming up. A single round shows only whether it works. Each
    round takes `seconds`. The daily limit of 5,000 calls per key is enough for one second. Raise RuntimeError if a
    server does not answer as expected.
    """
    service = Service()
    floor: Server | None = None
    try:
        service.migrate().start(on_one_core)
        answers = Answers(service, codes)
        floor = floor_of(service, [answers.page], answers.to_dict())
        warm = urllib.request.Request(service.url + answers.page, headers={"Accept-Language": "en"})
        urllib.request.urlopen(warm).close()
        assert service.process is not None
        ours = Server(service.process, service.port, service.folder)
        with connected(service) as database:
            measured = list(cases(answers))
            for one in measured:
                _compare(one, ours, floor, seconds, rounds, database)
                told = "; ".join(f"{row.ours} of {row.floor} = {row.ratio:.2f}" for row in _measure_case(one))
                print(f"  {one.what}: {told}", file=sys.stderr, flush=True)
    finally:
        if floor is not None:
            floor.kill()
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)
    return [row for one in measured for row in _measure_case(one)]


def _compare(case: Case, ours: Server, floor: Server, seconds: float, rounds: int, database: Any) -> None:
    connections = case.connections if rounds > 1 else min(case.connections, 2)
    for number in range(rounds + 1 if rounds > 1 else 1):
        for name, server in (("ours", ours), ("floor", floor)):
            database.execute("UPDATE rate_limits_callquota SET used = 0")
            told = server.load(case.requests(server.port), connections, min(seconds, 0.5) if number == 0 else seconds)
            if set(told["statuses"]) != {str(case.status)}:
                raise RuntimeError(f"{case.what}: {name} answers {told['statuses']} instead of {case.status}")
            if number or rounds == 1:  # the first of several rounds warms up
                case.got[name].append(told)


def _measure_case(case: Case) -> Iterator[Row]:
    mine, least = (
        {key: sorted(one[key] for one in case.got[name])[len(case.got[name]) // 2] for key in ("rate", "cpu", "p99")}
        for name in ("ours", "floor")
    )
    spread = [one["rate"] for one in case.got["ours"]]
    note = f"{min(spread):.0f} to {max(spread):.0f} requests/s" if len(spread) > 1 else ""
    for key, unit, goal in (("rate", "/s", case.rate), ("cpu", " ms CPU", case.cpu), ("p99", " ms p99", case.waits)):
        ratio = mine["rate"] / least["rate"] if key == "rate" else least[key] / max(mine[key], 1e-6)
        digits = 0 if key == "rate" else 2
        yield Row(
            case.what, f"{mine[key]:.{digits}f}{unit}", f"{least[key]:.{digits}f}{unit}", ratio, goal,
            note if key == "rate" else "",
        )  # fmt: skip


if __name__ == "__main__":
    print(markdown(measure(*map(float, sys.argv[1:2]))))
