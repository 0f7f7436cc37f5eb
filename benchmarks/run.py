"""Run every benchmark, and write one table with ratios and one plot of growth: `bin/benchmark --help`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import bench_bridge
import bench_seating
import database_growth
import footprint
import hostile_load
import load_pictures
import standby
import traffic
from plot import Points, stacked, svg
from table import Row, markdown

from workspace.testing.postgresql_server import Cluster, programs

HERE = Path(__file__).resolve().parent

SHORT = "--short"
BASES = ("SQLite", "PostgreSQL")
Parts = dict[str, Callable[[str, bool], list[Row]]]


class Run:
    """A run. Its parts fill the table, and growth and sizes also fill the plot."""

    def __init__(self) -> None:
        self.growth_of: dict[str, Points] = {}
        self.sizes_of: dict[str, Points] = {}
        # by name: parts that run on each database, and parts that are independent of it
        self.on_each: Parts = {
            "traffic": self.traffic,
            "growth": self.growth,
            "sizes": self.sizes,
            "forms": lambda base, short: self.run_benchmark("bench_forms.py", short),
            "booking": lambda base, short: self.run_benchmark("bench_booking.py", short),
            "programs": lambda base, short: [] if short else self.run_benchmark("bench_programs.py"),
            "footprint": lambda base, short: [] if short else footprint.measure(),
        }
        self.once: Parts = {
            "calls": lambda base, short: self.run_benchmark("bench_calls.py", short),
            "rush": lambda base, short: self.run_benchmark("guest_rush.py", short),
            "hostile": lambda base, short: hostile_load.measure(0.1, 1) if short else hostile_load.measure(),
            "pictures": lambda base, short: [] if short else load_pictures.measure(),
            "bridge": lambda base, short: bench_bridge.measure(1, 0.05) if short else bench_bridge.measure(),
            "seating": lambda base, short: bench_seating.measure(0.05) if short else bench_seating.measure(),
            "standby": lambda base, short: [] if short else standby.measure(),
            "front": lambda base, short: [] if short else self.run_benchmark("bench_front.py"),
            "agents": lambda base, short: self.run_benchmark("bench_agents.py"),
        }

    def traffic(self, base: str, short: bool) -> list[Row]:
        return traffic.measure(0.05, 1, 20) if short else traffic.measure()

    def growth(self, base: str, short: bool) -> list[Row]:
        told = _run_in_process("read_growth.py", *([SHORT] if short else []))
        self.growth_of |= {f"{name}, {base}": points for name, points in told["lines"].items()}
        return [Row(**row) for row in told["rows"]]

    def sizes(self, base: str, short: bool) -> list[Row]:
        if short:
            return []
        told = _run_in_process(Path(database_growth.__file__).name)
        self.sizes_of |= {f"{name}, {base}": points for name, points in told["lines"].items()}
        return [Row(**row) for row in told["rows"]]

    def run_benchmark(self, file: str, short: bool = False) -> list[Row]:
        return [Row(**row) for row in _run_in_process(file, *([SHORT] if short else []))["rows"]]


def _run_in_process(file: str, *words: str) -> dict[str, list[dict[str, object]]]:  # type: ignore[explicit-any]
    """Return the results of a benchmark that runs within Django, which a separate process sets up once."""
    done = subprocess.run([sys.executable, str(HERE / file), "--json", *words], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]  # lines above: output of commands


@contextmanager
def database(base: str) -> Iterator[bool]:
    """Yield whether there is a database: the one given for tests, or else a PostgreSQL as in production."""
    given = os.environ.get("WORKSPACE_TEST_DATABASE_URL", "")
    found = programs()
    if base == "SQLite":
        with _environment(""):
            yield True
    elif given:
        with _environment(given):
            yield True
    elif found is None:
        yield False
    else:
        with Cluster(found, durable=True) as cluster, _environment(cluster.url):
            yield True


@contextmanager
def _environment(address: str) -> Iterator[None]:
    kept = dict(os.environ)
    os.environ.update(WORKSPACE_TEST_DATABASE_URL=address, WORKSPACE_DATABASE_URL=address)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def main(arguments: list[str]) -> int:
    run = Run()
    known = [*run.on_each, *run.once]
    parser = argparse.ArgumentParser(prog="bin/benchmark", description=__doc__.partition(":")[0])
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"some of: {', '.join(known)} (all, when none is given)"
    )
    parser.add_argument("--on", choices=BASES, help="on one database only")
    parser.add_argument(SHORT, action="store_true", help="a moment of each, for whether it works; figures mean nothing")
    parser.add_argument(
        "--to",
        type=Path,
        default=HERE,
        help="the folder for results.md and growth.svg (benchmarks/); what other parts have told there stays",
    )
    chosen = parser.parse_args(arguments)
    if wrong := set(chosen.parts) - set(known):
        parser.error(f"there is no part {', '.join(sorted(wrong))}: choose from {', '.join(known)}")
    parts = chosen.parts or known
    chosen.to.mkdir(parents=True, exist_ok=True)
    sections: dict[str, str] = {}
    for base in [chosen.on] if chosen.on else BASES:
        with database(base) as found:
            if not found:
                print(f"NOT RUN  benchmarks on {base}: there is no `initdb`", flush=True)
                continue
            for name in [name for name in run.on_each if name in parts]:
                _section(sections, _title(name, base), partial(run.on_each[name], base, chosen.short))
    with database("SQLite"):
        for name in [name for name in run.once if name in parts]:
            _section(sections, _title(name), partial(run.once[name], "SQLite", chosen.short))
    order = [*(_title(name, base) for base in BASES for name in run.on_each), *map(_title, run.once)]
    _write(chosen.to, sections, order, _render_plots(run))
    return 0


def _title(name: str, base: str = "") -> str:
    return f"{name.capitalize()} on {base}" if base else name.capitalize()


def _section(sections: dict[str, str], title: str, measure: Callable[[], list[Row]]) -> None:
    began = time.monotonic()
    if rows := measure():
        seconds = round(time.monotonic() - began)
        where = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.machine()}"
        sections[title] = f"On {datetime.now(UTC):%Y-%m-%d} in {seconds} seconds: {where}.\n\n{markdown(rows)}"
        print(f"\n## {title}\n\n{sections[title]}", flush=True)


def _render_plots(run: Run) -> list[str]:
    calls = "What owners and guests cost as all of it grows", "visits in the installation", "ms of the processor a call"
    reads = "What reads cost as an account grows", "visits, or codes", "ms"
    return [svg(*words, lines) for words, lines in ((reads, run.growth_of), (calls, run.sizes_of)) if lines]


def _write(folder: Path, sections: dict[str, str], order: list[str], drawings: list[str]) -> None:
    """Write the new results, replacing earlier ones."""
    results, plot = folder / "results.md", folder / "growth.svg"
    if drawings:
        plot.write_text(stacked(drawings))
    sections = {**_earlier(results), **sections}
    results.write_text(
        "# Results\n\nWritten by `bin/benchmark`. Ratios: the larger, the better; bold misses its goal. What each row "
        "means: [README.md](README.md).\n\n"
        + ("![Growth](growth.svg)\n\n" if plot.exists() else "")
        + "\n".join(f"## {title}\n\n{sections[title]}" for title in order if title in sections)
    )
    print(f"Written to {results}")


def _earlier(results: Path) -> dict[str, str]:
    """Return the existing sections by title."""
    parts = re.split(r"^## (.+)\n", results.read_text(), flags=re.MULTILINE)[1:] if results.exists() else []
    return {title: f"{text.strip()}\n" for title, text in zip(parts[::2], parts[1::2], strict=True)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
