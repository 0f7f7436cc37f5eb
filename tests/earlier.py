"""Creates the database of an earlier commit as a compressed SQL dump, for tests/across/test_upgrading.py.

    python tests/earlier.py COMMIT

It needs the commit in git's history and the packages installed today.
"""

from __future__ import annotations

import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# a few of thousands of visits are sufficient; encrypted values remain unreadable, since their key is not stored
SMALLER = """
DELETE FROM publishing_visit WHERE id % 40;
DELETE FROM publishing_seen;
DELETE FROM storage_sealingkey;
"""
KEPT = ROOT / "tests" / "across" / "earlier.sql.xz"


def make(commit: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, data = Path(folder, "source"), Path(folder, "data")
        subprocess.run(["git", "worktree", "add", "--detach", source, commit], cwd=ROOT, check=True)
        try:
            env = {name: value for name, value in os.environ.items() if not name.startswith("WORKSPACE_")}
            env |= {"PYTHONPATH": str(source / "src"), "WORKSPACE_DATA": str(data)}
            for word in ("migrate", "demo"):
                command = [sys.executable, "-m", "workspace.interfaces.admin_cli", word]
                subprocess.run(command, cwd=source, env=env, check=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", source], cwd=ROOT, check=True)
        with closing(sqlite3.connect(data / "workspace.sqlite3")) as file:
            file.executescript(SMALLER)
            words = "\n".join([f"-- {commit}", *file.iterdump()])
    KEPT.write_bytes(lzma.compress(words.encode(), preset=9))
    print(f"{KEPT.relative_to(ROOT)}: {KEPT.stat().st_size:,} bytes")


if __name__ == "__main__":
    make(sys.argv[1])
