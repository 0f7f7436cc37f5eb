"""The footprint of a server: memory after a busy hour of a small business, and the time until its first answer.

    python benchmarks/footprint.py [RUNS]

16 guests request 10,000 scans of 200 codes and 2,000 pages. The memory of all server processes is measured in two ways:
proportionally (a page shared by two processes counts half for each) and, more strictly, as the sum of their resident
sets, in which it counts twice. The start lasts from `bin/workspace serve` on an existing instance until a scan is
answered. It is the median of RUNS (3), after a first run that writes Python's bytecode. It runs on PostgreSQL if
WORKSPACE_TEST_DATABASE_URL names a server. Goals: resident below 150 MB, proportional below 130 MB, start below 2.5 s
and 2 s of the processor, an administrator's command below 0.5 s of the processor.
"""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from table import Row, markdown

from workspace.testing.service import ROOT, Service

GUESTS, SCANS, PAGES, CODES = 16, 10_000, 2_000, 200
MEGABYTES, SECONDS = 150, 2.5
START_SECONDS, COMMAND_SECONDS = 2.0, 0.5  # of the processor
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def family(process: int) -> list[int]:
    """Return the process and all its descendants."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *[one for child in children for one in family(int(child))]]


def memory(process: int) -> dict[int, tuple[float, float]]:
    """Return the resident and the proportional megabytes of each process."""
    found = {}
    for one in family(process):
        lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()[1:]
        sizes = {name: int(rest.split()[0]) / 1024 for name, _, rest in (line.partition(":") for line in lines)}
        found[one] = (sizes["Rss"], sizes["Pss"])
    return found


def spent(process: int) -> float:
    """Return the processor seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request_path(connection: http.client.HTTPConnection, path: str) -> int:
    connection.request("GET", path, headers={"User-Agent": PHONE, "Accept-Language": "en"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def visited(port: int, paths: list[str], times: int) -> None:
    """Send `times` requests from all guests together, each over a separate connection."""
    turns = count()
    failed: list[int] = []

    def guest() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while (turn := next(turns)) < times:
            if (status := request_path(connection, paths[turn % len(paths)])) not in (200, 302):
                failed.append(status)
        connection.close()

    guests = [threading.Thread(target=guest) for _ in range(GUESTS)]
    for one in guests:
        one.start()
    for one in guests:
        one.join()
    if failed:
        raise SystemExit(f"{len(failed)} requests failed: {set(failed)}")


def started(service: Service, scan: str) -> tuple[subprocess.Popen[bytes], float, float]:
    """Start `serve` as an administrator does. Return the seconds until it answers a scan.

    One value is clock time. The other is processor time, which other load on the machine does not change.
    """
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "serve"]
    began = time.perf_counter()
    with (service.folder / "log").open("ab") as log:
        process = subprocess.Popen(command, env=service.env, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
            assert request_path(connection, scan) == 302
            return process, time.perf_counter() - began, sum(spent(one) for one in family(process.pid))
        except ConnectionError:
            if process.poll() is not None:
                raise SystemExit(service.log) from None
            time.sleep(0.005)


def stop(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(60)


def measure_command(service: Service, runs: int) -> Row:
    """Measure the processor time of a command that reads one table, after a first run that writes bytecode."""
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "reports"]
    times = []
    for _ in range(runs + 1):
        before = os.times()
        subprocess.run(command, env=service.env, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return _processor_row("an administrator’s command", min(times[1:]), COMMAND_SECONDS)


def _processor_row(what: str, seconds: float, goal: float) -> Row:
    return Row(what, f"{seconds:.2f} s", f"{goal} s", goal / seconds, 1.0, "of the processor")


def measure(runs: int = 3) -> list[Row]:
    service = Service().migrate()
    service.env.pop("PYTHONDONTWRITEBYTECODE", None)
    service.env["PYTHONPYCACHEPREFIX"] = str(service.folder / "bytecode")
    process: subprocess.Popen[bytes] | None = None
    try:
        key = service.account("owner@example.com", "--plan", "qr=pro")["api_key"]
        service.start()
        codes = [
            service.api(key, "svc_qr_create", name=f"Code {n}", target_url="https://example.com/") for n in range(CODES)
        ]
        card = service.api(key, "svc_card_create", full_name="Olive Owner", email="olive@example.com")
        service.stop()
        scans, page = [urlsplit(code["public_url"]).path for code in codes], urlsplit(card["public_url"]).path
        starts = []
        process, _, _ = started(service, scans[0])
        worked = []
        for _ in range(runs):
            stop(process)
            process, seconds, work = started(service, scans[0])
            starts.append(seconds)
            worked.append(work)
        rows = [_memory("memory at the start", process)]
        visited(service.port, scans, SCANS)
        visited(service.port, [page], PAGES)
        time.sleep(1)
        rows.append(_memory(f"memory after {SCANS:,} scans and {PAGES:,} pages", process))
        first, each = statistics.median(starts), ", ".join(f"{one:.2f}" for one in starts)
        rows.append(Row("start to first answer", f"{first:.2f} s", f"{SECONDS} s", SECONDS / first, 1.0, f"of {each}"))
        rows.append(_processor_row("start", statistics.median(worked), START_SECONDS))
        rows.append(measure_command(service, runs))
        return rows
    finally:
        if process is not None and process.poll() is None:
            stop(process)
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)


def _memory(what: str, process: subprocess.Popen[bytes]) -> Row:
    found = memory(process.pid)
    resident, proportional = (sum(column) for column in zip(*found.values(), strict=True))
    note = f"resident, in {len(found)} processes; {proportional:.0f} MB proportional"
    return Row(what, f"{resident:.0f} MB", f"{MEGABYTES} MB", MEGABYTES / resident, 1.0, note)


if __name__ == "__main__":
    print(markdown(measure(*map(int, sys.argv[1:2]))))
