"""Selection of the tests that a change needs: by the import graph, by folder for other files, and by product."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GREEN = ROOT / ".venv" / "green-tree"  # the last state of all files for which `bin/test` passed
REGISTRY = ("tests/across", "tests/contract")  # tests over all tools and pages
# the sources of all guest pages, and the tests that open these pages by URL, which no import reveals
GUEST_PACKAGES = ("public_site", "publishing")
GUEST_PAGES = frozenset(f"tests/across/test_{name}.py" for name in ("compression", "guest_pages", "if_none_match"))
# reads the texts of all files, and takes a few seconds
WORDS = "tests/words/test_words.py"
# simultaneous calls of a server's processes
RACES = ("tests/across/test_concurrent_bookings.py", "tests/across/test_hostile_races.py")
# the stories of a script that pages of all products load
SHARED_STORIES = ("tests/browser/test_qr_story.py", "tests/browser/test_dashboard_details.py")
_PRODUCT = re.compile(r"src/workspace/(?:products(?=/\w+/)|testing/samples)/([a-z]+)[/.]")
_FIXTURE = re.compile(r"@pytest\.fixture.*\ndef (\w+)")
_ROOM = re.compile(r"src/workspace/([a-z_]+)/")


@dataclass
class Selection:
    """The selected tests.

    `files`: test files to run whole. `products`: those whose part of the registry-wide tests is run. `slow`: the
    only files whose tests with a server or a browser are run: stories of changed scripts, races of changed products.
    """

    files: set[str] = field(default_factory=set)
    products: set[str] = field(default_factory=set)
    slow: set[str] = field(default_factory=set)


def read_tree() -> str:
    """Return git's id of all current files, including untracked ones."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "GIT_INDEX_FILE": f"{folder}/index"}
        _git("read-tree", "HEAD", env=env)
        _git("add", "--all", env=env)
        return _git("write-tree", env=env).strip()


def find_base() -> str:
    """Return the base of the comparison: the last green state, or else the point where this branch left `main`."""
    if GREEN.exists() and _exists(tree := GREEN.read_text().strip()):
        return tree
    for name in ("origin/main", "main"):
        if _exists(name):
            return _git("merge-base", "HEAD", name).strip()
    return "HEAD"


def remember_green(tree: str) -> None:
    """Store that all tests needed by these files have passed."""
    GREEN.write_text(tree + "\n")


def list_changed(base: str, tree: str) -> list[str]:
    """Return the paths that differ, including those of deleted files."""
    return _git("diff", "--name-only", "--no-renames", base, tree).split()


def select(changed: Iterable[str]) -> Selection:
    """Return the tests to run for changed paths."""
    paths = list(changed)
    found = Selection(products={name[1] for path in paths if (name := _PRODUCT.match(path))})
    for name in found.products:
        found.files |= _tests_below(f"src/workspace/products/{name}")
    for path in paths:
        if not _PRODUCT.match(path) and (room := _ROOM.match(path)):
            found.files |= _tests_below(f"src/workspace/{room[1]}")
            if room[1] in GUEST_PACKAGES and "/tests/" not in path:
                found.files |= GUEST_PAGES
            if room[1] == "testing":
                found.files |= _tests_that_use_fixtures_of(path)
        elif path.startswith("cli/"):
            found.files |= _tests_below("cli")
        elif path.startswith("new_product/"):
            found.files |= _tests_below("tests/new_product")
        elif not path.endswith(".py"):
            found.files |= _tests_that_name(Path(path).name)
        found.files |= _tests_of_kind(path)
    found.files |= _tests_that_import([_with_its_data(path) for path in paths])
    found.slow = {story for path in paths if path.endswith(".js") for story in _list_stories(path)}
    found.slow |= {
        file for file in RACES if any(f"svc_{name}_" in (ROOT / file).read_text() for name in found.products)
    }
    found.slow |= found.files & set(paths)
    return found


def registry_files() -> list[str]:
    """Return the files of registry-wide tests that need no server."""
    files = [path for folder in REGISTRY for path in (ROOT / folder).glob("test_*.py")]
    return sorted(str(path.relative_to(ROOT)) for path in files if "workspace.testing.service" not in path.read_text())


def is_about(test_id: str, products: Iterable[str]) -> bool:
    """Return whether one of the registry-wide tests is about a tool or a page of these products."""
    names = "|".join(products)
    return bool(names) and bool(re.search(rf"svc_({names})s?_|[\[-]({names})(?=[\]-])", test_id))


def _tests_below(folder: str) -> set[str]:
    return {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("test_*.py")}


def _tests_of_kind(path: str) -> set[str]:
    """Return the tests that read all files of this kind."""
    found = set()
    if path.endswith((".po", ".html", ".txt")):
        found.add("tests/across/test_languages.py")
    if path.endswith((".py", ".html", ".txt", ".md", ".js", ".toml")):
        found.add(WORDS)
    return found


def _tests_that_name(name: str) -> set[str]:
    tests = [path for folder in ("src", "tests", "cli") for path in (ROOT / folder).rglob("test_*.py")]
    return {str(path.relative_to(ROOT)) for path in tests if name in path.read_text()}


def _tests_that_use_fixtures_of(path: str) -> set[str]:
    """Return the tests that use a fixture of a plugin, which they do not import, or whose `conftest.py` uses one."""
    names = _FIXTURE.findall((ROOT / path).read_text()) if path.endswith(".py") and (ROOT / path).exists() else []
    if not names:
        return set()
    uses = re.compile(rf"def \w+\([^)]*\b({'|'.join(names)})\b")
    found = set()
    for file in (file for folder in ("src", "tests") for file in (ROOT / folder).rglob("*.py")):
        if file.name == "conftest.py" and uses.search(file.read_text()):
            found |= _tests_below(str(file.parent.relative_to(ROOT)))
        elif file.name.startswith("test_") and uses.search(file.read_text()):
            found.add(str(file.relative_to(ROOT)))
    return found


def _list_stories(script: str) -> set[str]:
    """Return the browser stories that run a script, found by its product, its name and the templates that load it."""
    if not (static := script.partition("/static/")[2]):
        return set()
    owners = {name[1] for name in [_PRODUCT.match(script)] if name}
    if not owners:
        pages = [path for path in (ROOT / "src").rglob("*.html") if static in path.read_text()]
        owners = {name[1] for path in pages if (name := _PRODUCT.match(str(path.relative_to(ROOT))))}
    found = {path for name in owners for path in (ROOT / "tests/browser").glob(f"test_{name}_*.py")}
    found |= {path for path in (ROOT / "tests/browser").glob("test_*.py") if Path(script).name in path.read_text()}
    return {str(path.relative_to(ROOT)) for path in found} or set(SHARED_STORIES)


def _with_its_data(path: str) -> str:
    """Return the module that reads a data file of the same name in `workspace.testing`, or else the path itself."""
    return str(Path(path).with_suffix(".py")) if path.startswith("src/workspace/testing/") else path


def _tests_that_import(paths: list[str]) -> set[str]:
    paths = [path for path in paths if path.endswith(".py")]
    if not paths:
        return set()
    import grimp

    if str(ROOT) not in sys.path:  # `python tests/run.py` starts with only this folder in the path
        sys.path.append(str(ROOT))
    graph = grimp.build_graph("workspace", "svc", "tests", cache_dir=str(ROOT / ".venv" / "import-graph"))
    modules = {_module(path) for path in paths}
    found = set(modules)
    for module in modules & graph.modules:
        found |= graph.find_downstream_modules(module)
    files = {_file(module) for module in found if module.rpartition(".")[2].startswith("test_")}
    return {file for file in files if (ROOT / file).exists()}


def _module(path: str) -> str:
    plain = path.removeprefix("cli/src/").removeprefix("src/").removesuffix(".py").removesuffix("/__init__")
    return plain.replace("/", ".")


def _file(module: str) -> str:
    path = module.replace(".", "/") + ".py"
    return path if module.startswith("tests.") else f"src/{path}"


def _exists(name: str) -> bool:
    return subprocess.run(["git", "cat-file", "-e", name], cwd=ROOT, capture_output=True).returncode == 0


def _git(*words: str, env: dict[str, str] | None = None) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout
