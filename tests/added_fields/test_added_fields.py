"""A field of a product is written in at most eight places, and everything else follows from them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.added_fields.recipes import MAX_PLACES, RECIPES, Recipe

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 900  # seconds, on a busy machine


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.product)
def test_a_field_is_written_in_few_places(recipe: Recipe) -> None:
    assert len(recipe.places) <= MAX_PLACES
    for place in recipe.places:
        assert place.text.count("\n") <= 1, f"more than one line in {place.file}"
        assert recipe.field in place.text


@pytest.mark.slow
@pytest.mark.timeout(1000)
@pytest.mark.any_database
def test_a_field_written_in_these_places_works_everywhere(tmp_path: Path) -> None:
    _copy_sources(tmp_path)
    for recipe in RECIPES:
        for place in recipe.places:
            place.write(tmp_path / "src" / "workspace" / "products" / recipe.product)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "DJANGO_SETTINGS_MODULE": "workspace.settings"}
    _run(["-m", "django", "makemigrations", *(recipe.product for recipe in RECIPES)], tmp_path, environment)
    _run(["-m", "pytest", "-q", "-p", "no:xdist", "tests/added_fields/trial.py"], tmp_path, environment)


def _copy_sources(folder: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "node_modules")
    shutil.copytree(ROOT / "src", folder / "src", ignore=ignored)
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__", "browser", "load"))
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
