"""`bin/test` selects the tests that a change needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.changes import GUEST_PAGES, WORDS, is_about, registry_files, select
from workspace.interfaces.tool_catalog import CATALOG
from workspace.products import PRODUCT_NAMES

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_selection_works_as_the_runner_starts_it() -> None:
    """The runner is a script: Python searches modules in its folder, not in the project's."""
    code = "import changes; print(*sorted(changes.select(['src/workspace/lib/money.py']).files))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tests", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "src/workspace/products/menu/tests/test_prices.py" in done.stdout.split()


@pytest.mark.parametrize(
    "path", ["public_site/guest_page.py", "public_site/templates/public/page.html", "publishing/markdown.py"]
)
def test_what_guest_pages_share_brings_the_tests_of_guest_pages(path: str) -> None:
    assert (ROOT / "src/workspace" / path).exists()
    assert set(registry_files()) >= GUEST_PAGES, "tests with a server are not run for a change"
    assert select([f"src/workspace/{path}"]).files >= GUEST_PAGES


@pytest.mark.parametrize(
    "path", ["README.md", "src/workspace/products/menu/templates/menu/edit.html", "cli/src/svc/flags.py"]
)
def test_a_file_with_texts_brings_the_test_of_words(path: str) -> None:
    assert (ROOT / WORDS).exists()
    assert WORDS in select([path]).files


def test_every_test_of_the_smoke_test_exists() -> None:
    code = "import run; print(*run.SMOKE)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tests", capture_output=True, text=True)
    names = done.stdout.split()
    assert len(names) > 3, done.stderr
    for name in names:
        path, _, function = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not function or f"\ndef {function}(" in (ROOT / path).read_text(), name


def test_a_test_of_a_shared_package_brings_no_guest_page() -> None:
    assert not GUEST_PAGES & select(["src/workspace/publishing/tests/test_public_urls.py"]).files


def test_a_change_of_the_skeleton_needs_a_new_product() -> None:
    skeleton = "new_product/skeleton/src/workspace/products/pinboard"
    for path in (f"{skeleton}/api/tools.py", f"{skeleton}/templates/pinboard/page.html"):
        assert "tests/new_product/test_new_product.py" in select([path]).files


def test_each_tool_of_a_product_is_assigned_to_that_product() -> None:
    for tool in CATALOG:
        folder = tool.function.__module__.removeprefix("workspace.products.").partition(".")[0]
        about = [
            name for name in PRODUCT_NAMES if is_about(f"tests/across/test_undo.py::test_a_tool[{tool.name}]", [name])
        ]
        assert about == [name for name in PRODUCT_NAMES if name == folder], tool.name
