"""Shares of names and docstrings that break the rules of STYLE.md, in tenths of a percent.

`tests/ratchet.py` compares them with `tests/ratchet.json`: they may fall and never rise.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src/workspace", "cli/src")
# participles that do not end in -ed
_IRREGULAR_TEXT = """brought done drawn found given gone held kept known laid left made met put said seen sent shown
taken told worn written"""
IRREGULAR = frozenset(_IRREGULAR_TEXT.split())
# words in -ing that name a thing or an algorithm
_NOUN_TEXT = """annealing billing booking building embedding heading onboarding pricing rendering seating setting
spacing string typesetting"""
NOUNS = frozenset(_NOUN_TEXT.split())
RELATIVE = frozenset(["what", "who", "whom", "whose", "whether"])

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def count_shares() -> dict[str, int]:
    """Return each share by its name, in tenths of a percent."""
    trees = {path: ast.parse((ROOT / path).read_text()) for path in _list_modules()}
    functions = [name for tree in trees.values() for name in _list_functions(tree)]
    docstrings = [text for tree in trees.values() for text in _list_docstrings(tree)]
    modules = [Path(path).stem for path in trees if not path.endswith("__init__.py")]
    return {
        "functions named by one word": _share(functions, is_one_word),
        "functions named by a participle": _share(functions, is_participle),
        "modules named by a gerund": _share(modules, is_gerund),
        "docstrings that begin with a relative clause": _share(docstrings, is_relative),
    }


def is_one_word(function: str) -> bool:
    return "_" not in function.strip("_")


def is_participle(function: str) -> bool:
    """Return whether the name begins with a participle, as in `kept_files` and `served`."""
    first = function.strip("_").split("_")[0]
    return first in IRREGULAR or (len(first) > 4 and first.endswith("ed") and not first.endswith("eed"))


def is_gerund(module: str) -> bool:
    last = module.split("_")[-1]
    return last.endswith("ing") and last not in NOUNS


def is_relative(docstring: str) -> bool:
    """Return whether a docstring begins with "what", "who" or "whether" instead of a verb or a noun."""
    return docstring.split()[0].lower().strip(",:") in RELATIVE


def _share(values: list[str], is_counted: Callable[[str], bool]) -> int:
    return round(1000 * sum(1 for value in values if is_counted(value)) / max(1, len(values)))


def _list_modules() -> list[str]:
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    left_out = ("/tests/", "/migrations/", "/testing/")
    return [
        path
        for path in listed
        if path.endswith(".py") and not any(part in path for part in left_out) and (ROOT / path).exists()
    ]


def _list_functions(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, _Function) and not node.name.startswith("__"):
            yield node.name


def _list_docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | _Function) and (text := ast.get_docstring(node)):
            yield text


if __name__ == "__main__":
    print(json.dumps(count_shares(), indent=2))
