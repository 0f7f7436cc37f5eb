"""Counts of names and docstrings that break the rules of STYLE.md. Shares are in tenths of a percent.

`tests/ratchet.py` compares them with `tests/ratchet.json`: they may fall and never rise. With `--list`, print each
function named by a vague word.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src/workspace", "cli/src")
# participles that do not end in -ed
_IRREGULAR_TEXT = """brought done drawn found given gone held kept known laid left made met put said seen sent shown
taken told worn written"""
IRREGULAR = frozenset(_IRREGULAR_TEXT.split())
# words in -ing that name a thing or an algorithm
_NOUN_TEXT = """annealing billing booking building embedding heading onboarding pricing rendering routing seating
setting spacing string typesetting"""
NOUNS = frozenset(_NOUN_TEXT.split())
# Words that do not say what a function does, also with an underscore in front. Protocols of libraries, such as `ready`
# of
# an app and `read` of a file, and pairs such as `start` and `stop` keep their names.
_VAGUE_TEXT = """act again arrive ask asked asked_by begin brief bring brought call called calls came came_in came_with
carry choose chosen closing_words come door draw drawn due end face face_at face_of find fold folded follow forget
forget_old found give give_back given gone has_room heard held hold holding in_reach in_words kept known lapse lead lean
leave left let_go let_lapse line lines look look_soon made make meant met moments named next_edge note of once one pack
packed perform plain quiet reach reaching read remind_at row rows rows_of said say seal sealed seen settle several shown
soon sought stand standing stands sweep take take_back take_call take_out taken tell tidy told turn turned wake wanted
wear whole words worn written"""
VAGUE = frozenset(_VAGUE_TEXT.split())
STORAGE_METHODS = frozenset(["_open", "_save", "delete", "exists", "listdir", "path", "size"])
EVERY_FOLDER = (*FOLDERS, "tests", "cli/tests", "benchmarks")
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
        "number of functions named by a vague word": len(list_vague()),
    }


def list_vague() -> list[str]:
    """Return the locations of all functions named by a vague word, including nested ones and those of tests."""
    return [
        f"{path}:{node.lineno}: {node.name}"
        for path in _list_files(EVERY_FOLDER)
        for node in ast.walk(ast.parse((ROOT / path).read_text()))
        if isinstance(node, _Function) and is_vague(node.name) and not _is_file_read(node)
    ]


def is_vague(function: str) -> bool:
    return function.lstrip("_") in VAGUE


def _is_file_read(node: _Function) -> bool:
    """Return whether it is the method `read` that a library calls with a number of bytes."""
    return node.name == "read" and [argument.arg for argument in node.args.args] == ["self", "size"]


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
    left_out = ("/tests/", "/testing/")
    return [path for path in _list_files(FOLDERS) if not any(part in path for part in left_out)]


def _list_files(folders: tuple[str, ...]) -> list[str]:
    """Return all Python files in these folders except migrations."""
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    files = dict.fromkeys(path for path in listed if path.endswith(".py") and "/migrations/" not in path)
    return [path for path in files if (ROOT / path).exists()]


def _list_functions(tree: ast.Module) -> Iterator[str]:
    """Yield the names of all functions except properties, which are nouns, and methods that Django names."""
    named_by_django = {id(node) for node in _list_storage_methods(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, _Function) or node.name.startswith("__"):
            continue
        if not _is_property(node) and id(node) not in named_by_django:
            yield node.name


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    return bool(names & {"property", "cached_property", "setter"})


def _list_storage_methods(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the methods that a Django storage overrides."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any("Storage" in ast.unparse(base) for base in node.bases):
            yield from (part for part in node.body if isinstance(part, _Function) and part.name in STORAGE_METHODS)


def _list_docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | _Function) and (text := ast.get_docstring(node)):
            yield text


if __name__ == "__main__":
    print("\n".join(list_vague()) if "--list" in sys.argv else json.dumps(count_shares(), indent=2))
