"""`bin/new-product` leaves nothing behind if it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from new_product import product_writer
from new_product.names import Names
from new_product.product_writer import StepFailedError, write_product

pytestmark = pytest.mark.any_database
TITLES = {"de": "Fotoalben", "es": "Álbumes", "fr": "Albums", "it": "Album", "pt": "Álbuns"}
ALBUMS = Names("albums", "Photo albums", "photo album", TITLES)
REGISTRY = 'PRODUCT_NAMES = (\n    "qr",\n    "card",\n)\n'


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with a list of products and a catalog. Every command in it fails."""
    registry, catalog = tmp_path / "products" / "__init__.py", tmp_path / "catalog.json"
    registry.parent.mkdir()
    registry.write_text(REGISTRY)
    catalog.write_text("{}")
    for name, path in (("ROOT", tmp_path), ("REGISTRY", registry), ("CATALOG", catalog)):
        monkeypatch.setattr(product_writer, name, path)
    monkeypatch.setattr(product_writer, "_run_python", _fail)
    return tmp_path


def _fail(*command: str) -> str:
    raise StepFailedError(f"{command[1]} failed")


def list_files(folder: Path) -> dict[str, str]:
    return {f"{path.relative_to(folder)}": path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_failed_step_leaves_the_repository_as_it_was(repository: Path) -> None:
    before = list_files(repository)
    with pytest.raises(StepFailedError, match="ruff failed"):
        write_product(ALBUMS)
    assert list_files(repository) == before


def test_files_that_exist_are_not_touched(repository: Path) -> None:
    (repository / "products" / "albums").mkdir()
    (repository / "products" / "albums" / "notes.txt").write_text("mine")
    before = list_files(repository)
    with pytest.raises(StepFailedError, match="products/albums exists already"):
        write_product(ALBUMS)
    assert list_files(repository) == before


def test_the_product_is_the_last_of_the_list(repository: Path) -> None:
    product_writer._register("albums")
    assert product_writer.REGISTRY.read_text() == 'PRODUCT_NAMES = (\n    "qr",\n    "card",\n    "albums",\n)\n'
