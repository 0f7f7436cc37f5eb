"""Paths and dotted names in the documents for developers exist."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "src" / "workspace"
DOCUMENTS = ("ARCHITECTURE.md", "GLOSSARY.md", "STYLE.md", "CONTRIBUTING.md", "docs/*.md", "decisions/*.md")
SUFFIXES = (".py", ".html", ".js", ".css", ".txt", ".json", ".toml", ".sh", ".md")
PLACEHOLDER = re.compile(r"[A-Z]{2,}|\*|^/|^data/|[<{…]")  # `templates/NAME.html`, a URL, the data folder


@cache
def list_files() -> frozenset[str]:
    """Return the tracked files and their folders, with every shorter form of their paths."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    paths = {PurePosixPath(name) for name in listed}
    paths |= {folder for path in paths for folder in path.parents}
    return frozenset("/".join(path.parts[start:]) for path in paths for start in range(len(path.parts)))


def list_references() -> Iterator[tuple[str, str]]:
    """Yield each string in backticks with its document."""
    for pattern in DOCUMENTS:
        for document in sorted(ROOT.glob(pattern)):
            for text in re.findall(r"`([^`\n]+)`", document.read_text()):
                yield f"{document.relative_to(ROOT)}", text


def is_missing_path(text: str) -> bool:
    if "/" not in text or not re.fullmatch(r"[\w./-]+", text) or PLACEHOLDER.search(text):
        return False
    if not (text.endswith("/") or text.endswith(SUFFIXES)):
        return False
    return text.strip("/") not in list_files()


def is_missing_name(text: str) -> bool:
    """Return whether a dotted name begins with one of our packages, but leads to no module or name in a module."""
    parts = text.removeprefix("workspace.").split(".")
    if len(parts) < 3 or not all(part.isidentifier() for part in parts) or not (PACKAGES / parts[0]).is_dir():
        return False
    path = PACKAGES
    for place, part in enumerate(parts):
        if (path / part).is_dir():
            path = path / part
        elif (path / f"{part}.py").is_file():
            return not _has_name(path / f"{part}.py", parts[place + 1 :])
        else:
            return not _has_name(path / "__init__.py", parts[place:])
    return False


def _has_name(module: Path, names: list[str]) -> bool:
    """Return whether a module defines or imports the first name. Members of classes are not followed."""
    if not names:
        return True
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return names[0] in found


def test_paths_in_documents_exist() -> None:
    missing = [f"{document}: {text}" for document, text in list_references() if is_missing_path(text)]
    assert missing == []


def test_dotted_names_in_documents_exist() -> None:
    missing = [f"{document}: {text}" for document, text in list_references() if is_missing_name(text)]
    assert missing == []


@pytest.mark.parametrize("text", ["products/card/nothing.py", "interfaces/nothing/"])
def test_a_missing_path_is_found(text: str) -> None:
    assert is_missing_path(text)


@pytest.mark.parametrize("text", ["interfaces.rest.nothing.find", "workspace.lib.languages.NOTHING"])
def test_a_missing_name_is_found(text: str) -> None:
    assert is_missing_name(text)
