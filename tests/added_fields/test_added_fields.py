"""Adding a field to a product takes at most eight edits, and everything else follows from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.added_fields.recipes import MAX_PLACES, RECIPES, Recipe
from tests.source_copy import copy_sources, run_python


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
    copy_sources(tmp_path)
    for recipe in RECIPES:
        for place in recipe.places:
            place.write(tmp_path / "src" / "workspace" / "products" / recipe.product)
    run_python(["-m", "django", "makemigrations", *(recipe.product for recipe in RECIPES)], tmp_path)
    run_python(["-m", "pytest", "-q", "-p", "no:xdist", "tests/added_fields/trial.py"], tmp_path)
