"""No module imports itself through other modules, not even inside a function or for type hints."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest


def find_circle(package: str) -> list[str]:
    """Return the modules of a circle of imports in the package, or an empty list."""
    graph = grimp.build_graph(package, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("package", ["workspace", "svc"])
def test_modules_do_not_import_each_other(package: str) -> None:
    assert find_circle(package) == []


@pytest.mark.parametrize(
    "way_back",
    [
        "from circle_sample import first",
        "def call() -> None:\n    from circle_sample import first",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from circle_sample import first",
    ],
    ids=["at the top", "in a function", "for type hints"],
)
def test_a_circle_is_found(way_back: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "circle_sample"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "first.py").write_text("from circle_sample import second\n")
    (folder / "second.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert find_circle("circle_sample") == []
    (folder / "second.py").write_text(way_back)
    assert {*find_circle("circle_sample")} == {"circle_sample.first", "circle_sample.second"}
