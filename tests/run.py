"""Run checks and tests, in tiers. `bin/test` calls this.

bin/test              the checks, and the tests that the present change needs; a smoke test where nothing has changed
bin/test all          the checks and all tests: SQLite, browser, PostgreSQL (`--complete`: none of them left out;
                      `--record`: writes the durations, by which later runs order the tests)
bin/test server       the tests that start a server
bin/test browser      the stories in a browser
bin/test postgresql   the tests on PostgreSQL alone
                      (these three also take arguments of pytest: bin/test postgresql -k scan)
bin/test ARGUMENTS    pytest with these arguments, on both databases: bin/test -k scan

With WORKSPACE_TEST_ALL=1, as in CI, anything missing on the machine is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import budget
import changes
import checks

from workspace.testing.postgresql_server import Cluster, programs

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
SMOKE = [
    "tests/contract",
    "tests/across/test_answers.py",
    "tests/across/test_guest_pages.py::test_both_ways_in_give_the_same_answer",
    "tests/across/test_dashboard_pages.py::test_every_page_opens_for_its_owner",
    "tests/browser/test_qr_story.py",
]
SLOWEST = "--durations=20"
MEMORY = Path("/dev/shm")  # a file system in memory, on which a commit does not wait for a disk
MEMORY_BYTES = 4 << 30


@dataclass
class Run:
    """The requested run and its outcome."""

    failed: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    processor_seconds: dict[str, float] = field(default_factory=dict)

    def test(
        self, name: str, arguments: list[str], *, database: str = "", output: IO[str] | None = None, **settings: str
    ) -> None:
        """Run pytest. Selecting no tests is not a failure if arguments narrow the run."""
        print(f"\n=== {name} ===", flush=True, file=output)
        began = time.monotonic()
        workers = [] if any(one.startswith("-n") for one in arguments) else ["-n", str(os.cpu_count() or 1)]
        command = [BIN / "pytest", "-q", "--dist", "loadscope", "--no-loadscope-reorder", *workers, *arguments]
        process = subprocess.Popen(command, cwd=ROOT, env=_environment(database) | settings, stdout=output)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True, file=output)
        if process.returncode not in (0, 5):
            self.failed.append(name)
        self.processor_seconds[name] = used.ru_utime + used.ru_stime

    def test_on_postgresql(self, arguments: list[str], *, output: IO[str] | None = None, **settings: str) -> None:
        found = programs()
        if found is None:
            self.missing.append("tests on PostgreSQL: there is no `initdb` (Debian: apt-get install postgresql)")
            return
        with Cluster(found) as cluster:
            self.test("Tests on PostgreSQL", arguments, database=cluster.url, output=output, **settings)

    def check_budget(self) -> None:
        """Fail if all tests of one database took more processor time than their budget."""
        print("\n=== Budget ===")
        for name, seconds in self.processor_seconds.items():
            spent = budget.compare(name, seconds)
            print(f"{name}: {spent or f'{seconds:.0f} s of processor time'}", flush=True)
            if spent and spent.is_over:
                self.failed.append(f"{name}: over the budget of tests/budget.json")

    def finish(self) -> int:
        """Print skipped and failed checks and tests. Return the exit code."""
        for what in self.missing:
            print(f"NOT RUN  {what}")
        if os.environ.get("WORKSPACE_TEST_ALL") == "1":
            self.failed += self.missing
        print("\n".join(f"FAILED   {what}" for what in self.failed) or "All that ran has passed.", flush=True)
        return 1 if self.failed else 0


def run_changed(run: Run) -> None:
    tree = changes.read_tree()
    changed = changes.list_changed(changes.find_base(), tree)
    with _Checks(run):
        if not changed:
            print("Nothing has changed since the last green run: a smoke test of all tools and pages.")
            run.test("Smoke test", SMOKE)
        else:
            _test_selection(run, changes.select(changed), changed)
    if not run.failed:
        changes.remember_green(tree)


def _test_selection(run: Run, selection: changes.Selection, changed: list[str]) -> None:
    products = ", ".join(sorted(selection.products)) or "no product"
    print(f"{len(changed)} files have changed ({products}).")
    files = {*selection.files, *selection.slow, *(changes.registry_files() if selection.products else ())}
    if not files:
        print("No test is about them.")
        return
    chosen = {"FILES": selection.files, "SLOW_FILES": selection.slow, "PRODUCTS": selection.products}
    settings = {f"TEST_{name}": ",".join(sorted(names)) for name, names in chosen.items()}
    run.test("Tests of what has changed", sorted(files), **settings)


def run_all(run: Run, *, complete: bool, record: bool) -> None:
    _need_chromium(run)
    # both databases at once: while tests of one wait for a browser or a disk, those of the other use the processors
    with _Checks(run), tempfile.TemporaryFile("w+") as output, ThreadPoolExecutor(1) as beside:
        settings = {"TEST_COMPLETE": "1" if complete else ""}
        second = beside.submit(run.test_on_postgresql, ["-m", "not browser", SLOWEST], output=output, **settings)
        run.test("Tests on SQLite", [SLOWEST], TEST_DURATIONS="1" if record else "")
        second.result()
        output.seek(0)
        print(output.read(), flush=True)
    if not complete:
        run.check_budget()


def main(arguments: list[str]) -> int:
    run = Run()
    tier_arguments = arguments[1:]
    tiers: dict[str, Callable[[], None]] = {
        "": lambda: run_changed(run),
        "all": lambda: run_all(run, complete="--complete" in arguments, record="--record" in arguments),
        "server": lambda: run.test("Tests with a server", ["-m", "server", *tier_arguments]),
        "browser": lambda: run.test("Tests in a browser", ["-m", "browser", *tier_arguments]),
        "postgresql": lambda: run.test_on_postgresql(["-m", "not browser", *tier_arguments], TEST_COMPLETE="1"),
    }
    tier = tiers.get(arguments[0] if arguments else "")
    with _temporary_folder():
        if tier is not None:
            tier()
        else:
            run.test("Tests on SQLite", arguments)
            run.test_on_postgresql(["-m", "not browser", *arguments], TEST_COMPLETE="1")
    return run.finish()


@contextmanager
def _temporary_folder() -> Iterator[None]:
    """Let all tests write to a single folder, in memory if there is space. It is removed at the end."""
    try:
        roomy = shutil.disk_usage(MEMORY).free > MEMORY_BYTES
    except FileNotFoundError:
        roomy = False
    with tempfile.TemporaryDirectory(
        prefix="tests-", dir=MEMORY if roomy else None, ignore_cleanup_errors=True
    ) as path:
        Path(path).chmod(0o755)  # PostgreSQL's user has a folder in it
        usual, tempfile.tempdir = tempfile.tempdir, path
        os.environ["TMPDIR"] = path
        try:
            yield
        finally:
            tempfile.tempdir = usual


class _Checks:
    """The checks, which run beside the tests and are reported at the end."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._outcomes: list[checks.Outcome] = []
        self._thread = threading.Thread(target=lambda: self._outcomes.extend(checks.run_checks()))

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *raised: object) -> None:
        self._thread.join()
        print("\n=== Checks ===")
        self._run.failed += checks.report(self._outcomes)


def _need_chromium(run: Run) -> None:
    if not shutil.which("chromium"):
        run.missing.append("browser tests: there is no `chromium` (Debian: apt-get install chromium)")


def _environment(database: str) -> dict[str, str]:
    # bytecode is written: otherwise each of hundreds of servers and commands compiles all modules again
    ours = ("WORKSPACE_", "SVC_", "PORT", "PYTHONDONTWRITEBYTECODE")
    found = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    if os.environ.get("WORKSPACE_TEST_ALL"):
        found["WORKSPACE_TEST_ALL"] = "1"
    data = tempfile.gettempdir() + "/workspace-checks"
    path = f"{BIN}:{os.environ['PATH']}"
    return {**found, "WORKSPACE_TEST_DATABASE_URL": database, "WORKSPACE_DATA": data, "PATH": path}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
