"""Every check and test that this machine can run, on both databases, with a plain word on what it could not.

`bin/test` calls it. Arguments go to pytest: `bin/test -k scan` runs fewer tests and no checks. With
WORKSPACE_TEST_ALL=1, as in CI, whatever is missing is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from postgresql import Cluster, programs

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
MAX_LINES = 400
CHECKS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "import order": ["lint-imports"],
    "dependencies": ["deptry", "src"],
}


def main(arguments: list[str]) -> int:
    everything = os.environ.get("WORKSPACE_TEST_ALL") == "1"
    failed: list[str] = []
    missing: list[str] = []
    if not arguments:
        failed += _checks()
    if not shutil.which("chromium"):
        missing.append("browser tests: there is no `chromium` (Debian: apt-get install chromium)")
    if not _pytest("SQLite", arguments, ""):
        failed.append("tests on SQLite")
    found = programs()
    if found is None:
        missing.append("tests on PostgreSQL: there is no `initdb` (Debian: apt-get install postgresql)")
    else:
        with Cluster(found) as cluster:
            if not _pytest("PostgreSQL", ["-m", "not browser", *arguments], cluster.url):
                failed.append("tests on PostgreSQL")
    for what in missing:
        print(f"NOT RUN  {what}")
    if everything:
        failed += missing
    print("\n".join(f"FAILED   {what}" for what in failed) or "All that ran has passed.", flush=True)
    return 1 if failed else 0


def _checks() -> list[str]:
    failed = []
    for name, command in CHECKS.items():
        began = time.monotonic()
        done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, env=_env(""))
        print(
            f"{'ok      ' if done.returncode == 0 else 'FAILED  '} {name} ({time.monotonic() - began:.0f} s)",
            flush=True,
        )
        if done.returncode:
            print(done.stdout + done.stderr)
            failed.append(name)
    long = [path for path in _python_files() if len(path.read_text().splitlines()) > MAX_LINES]
    for path in long:
        print(f"FAILED   {path.relative_to(ROOT)} is longer than {MAX_LINES} lines")
    return [*failed, *(["file ceiling"] if long else [])]


def _python_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    return [ROOT / name for name in listed if name and "/migrations/" not in name and (ROOT / name).exists()]


def _pytest(database: str, arguments: list[str], url: str) -> bool:
    print(f"\n=== Tests on {database} ===", flush=True)
    workers = [] if any(a.startswith("-n") for a in arguments) else ["-n", str(os.cpu_count() or 1)]
    command = [BIN / "pytest", "-q", "--dist", "loadscope", *workers, *arguments]
    # 5: nothing was selected, which is fine when the caller narrowed the run
    return subprocess.run(command, cwd=ROOT, env=_env(url)).returncode in ((0, 5) if arguments else (0,))


def _env(url: str) -> dict[str, str]:
    # what is compiled is kept: else each of hundreds of servers and commands compiles it anew, for two seconds
    ours = ("WORKSPACE_", "SVC_", "PORT", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    if os.environ.get("WORKSPACE_TEST_ALL"):
        kept["WORKSPACE_TEST_ALL"] = "1"
    data = tempfile.gettempdir() + "/workspace-checks"
    return {**kept, "WORKSPACE_TEST_DATABASE_URL": url, "WORKSPACE_DATA": data, "PATH": f"{BIN}:{os.environ['PATH']}"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
