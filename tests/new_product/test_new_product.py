"""A product written by `bin/new-product`: it passes the checks and the tests of all products without hand edits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.source_copy import copy_sources, run_python

pytestmark = pytest.mark.any_database
PRODUCT = "gala"  # a word that no name of another test contains
# the longest names that are allowed
NAMES = (
    "--title",
    "Photo exhibitions",
    "--item",
    "exhibition of photos",
    "--de",
    "Fotoausstellungen",
    "--es",
    "Exposiciones",
)
# the tests over all tools and pages that say most in the least time: permissions, undo, answers, pages, languages
REGISTRY_WIDE = (
    *("tenancy", "undo", "dry_run", "bad_input", "answers", "answer_texts", "lists", "schemas", "products"),
    *("dashboard_pages", "item_layout", "roles", "guest_pages", "languages", "brand", "imported_columns"),
)


@pytest.mark.slow
@pytest.mark.timeout(1000)
def test_a_new_product_passes_the_tests_of_all_products(tmp_path: Path) -> None:
    copy_sources(tmp_path)
    written = run_python(["-m", "new_product", PRODUCT, *NAMES], tmp_path).splitlines()
    files = written[: written.index("")]
    assert all((tmp_path / name).is_file() for name in files)
    code = [name for name in files if name.endswith(".py")]
    run_python(["-m", "ruff", "check", "--force-exclude", *code], tmp_path)
    run_python(["-m", "ruff", "format", "--force-exclude", "--check", *code], tmp_path)
    tests = [f"src/workspace/products/{PRODUCT}", *(f"tests/across/test_{name}.py" for name in REGISTRY_WIDE)]
    run_python(["-m", "pytest", "-q", "-p", "no:xdist", "-k", PRODUCT, *tests], tmp_path)
