"""What `pip install` brings without the repository: the service and its command, and nothing that only we need."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.any_database
def test_the_wheel_holds_all_that_a_server_reads_and_no_test(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
        ROOT,
    ]
    subprocess.run(command, check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        held = set(opened.namelist())
        entry = next(name for name in held if name.endswith("entry_points.txt"))
        assert "workspace = workspace.interfaces.operator.__main__:run" in opened.read(entry).decode()
    source = ROOT / "src"
    tracked = subprocess.run(["git", "ls-files", "src/workspace"], cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {
        str((ROOT / line).relative_to(source))
        for line in tracked.stdout.splitlines()
        if "/tests/" not in line and not line.endswith((".po", "testing.py", "testing_environment.py", "messages.py"))
    }
    assert wanted <= held
    assert not [name for name in held if "/tests/" in name]


@pytest.mark.any_database
def test_every_text_names_the_command_as_it_is_called_where_it_runs() -> None:
    """`bin/workspace` is there in the repository alone: texts say `environment.COMMAND`."""
    for path in ROOT.glob("src/workspace/**/*.html"):
        assert "bin/workspace" not in path.read_text(), path
    for path in ROOT.glob("src/workspace/**/*.py"):
        text = path.read_text()
        if "tests" in path.parts or path.name == "environment.py" or "bin/workspace" not in text:
            continue
        nodes = list(ast.walk(ast.parse(text)))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
        assert not [words for words in texts if "bin/workspace" in str(words)], path
