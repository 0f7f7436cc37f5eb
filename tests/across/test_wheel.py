"""The wheel contains the service and its command, and nothing that only development needs."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from workspace.testing.service import ROOT, Service

# more interpreters, as TEST_PYTHONS=/opt/python3.13/bin/python:…; two minutes of pip each
OTHERS = [path for path in os.environ.get("TEST_PYTHONS", "").split(":") if path]

pytestmark = pytest.mark.any_database


def _wheel(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    subprocess.run(command, check=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_contains_everything_a_server_reads_and_no_tests(tmp_path: Path) -> None:
    wheel = _wheel(tmp_path)
    with zipfile.ZipFile(wheel) as opened:
        held = set(opened.namelist())
        entry = next(name for name in held if name.endswith("entry_points.txt"))
        assert "workspace = workspace.interfaces.admin_cli.__main__:run" in opened.read(entry).decode()
    source = ROOT / "src"
    tracked = subprocess.run(["git", "ls-files", "src/workspace"], cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {
        str((ROOT / line).relative_to(source))
        for line in tracked.stdout.splitlines()
        if not {"tests", "testing"} & set(Path(line).parts) and not line.endswith((".po", "workspace/translations.py"))
    }
    assert wanted <= held
    assert not [name for name in held if {"tests", "testing"} & set(Path(name).parts)]


@pytest.mark.skipif(not OTHERS, reason="Other interpreters are tried with TEST_PYTHONS=PATH:PATH")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("interpreter", OTHERS)
def test_the_wheel_serves_in_an_empty_environment(interpreter: str, tmp_path: Path) -> None:
    subprocess.run([interpreter, "-m", "venv", tmp_path / "clean"], check=True)
    install = [tmp_path / "clean" / "bin" / "pip", "install", "--quiet"]
    subprocess.run([*install, "--require-hashes", "-r", ROOT / "requirements" / "run.txt"], check=True)
    subprocess.run([*install, "--no-deps", _wheel(tmp_path)], check=True)
    service = Service()
    command = tmp_path / "clean" / "bin" / "workspace"
    with (service.folder / "log").open("wb") as log:
        serving = subprocess.Popen([command, "serve"], env=service.env, cwd=tmp_path, stdout=log, stderr=log)
    try:
        service.wait_for(serving)
        for path in ("/healthz", "/readyz", "/sign-in/", "/help"):
            with urllib.request.urlopen(service.url + path, timeout=60) as answer:
                assert answer.status == 200, path
    finally:
        serving.terminate()
        serving.wait(60)
        shutil.rmtree(service.folder, ignore_errors=True)


def test_every_text_names_the_command_for_its_environment() -> None:
    """Check that messages use `environment.COMMAND`, because `bin/workspace` exists only in the repository."""
    for path in ROOT.glob("src/workspace/**/*.html"):
        assert "bin/workspace" not in path.read_text(), path
    for path in ROOT.glob("src/workspace/**/*.py"):
        text = path.read_text()
        if {"tests", "testing"} & set(path.parts) or path.name == "environment.py" or "bin/workspace" not in text:
            continue
        nodes = list(ast.walk(ast.parse(text)))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
        assert not [words for words in texts if "bin/workspace" in str(words)], path
