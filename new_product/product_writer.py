"""Writing the files of a new product and registering it. If a step fails, nothing is left. Set up Django first."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from new_product.names import Names
from new_product.skeleton_files import render_files
from workspace import translations

ROOT = Path(__file__).resolve().parent.parent
REGISTRY = ROOT / "src" / "workspace" / "products" / "__init__.py"
CATALOG = ROOT / "cli" / "src" / "svc" / "catalog.json"
_PRODUCT_NAMES = re.compile(r"(PRODUCT_NAMES = \(\n(?: +\"\w+\",\n)*)\)")


class StepFailedError(Exception):
    """A step failed. The message is the output of its command."""


def write_product(names: Names) -> list[Path]:
    """Write, register and migrate the product. Return the paths of new and changed files.

    Raise StepFailedError, without leaving any files, if a step fails.
    """
    files = {ROOT / name: content for name, content in render_files(names).items()}
    folder = REGISTRY.parent / names.product
    for path in (folder, *files):
        if path.exists():
            raise StepFailedError(f"{path.relative_to(ROOT)} exists already: delete it, or choose another name")
    former = {path: path.read_bytes() for path in (REGISTRY, CATALOG)}
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        _register(names.product)
        _format([path for path in files if path.suffix == ".py"])
        _run_python("-m", "django", "makemigrations", names.product)
        _update_message_catalogs(folder / "locale")
        CATALOG.write_text(_run_python("-m", "workspace.interfaces.admin_cli", "catalog"), encoding="utf-8")
    except BaseException:
        _remove(folder, [*files])
        for path, earlier in former.items():
            path.write_bytes(earlier)
        raise
    return [*sorted({*files, *folder.glob("migrations/0*.py"), *folder.glob("**/*.mo")}), REGISTRY, CATALOG]


def _register(product: str) -> None:
    """Add the product's line to the list of products."""
    text = REGISTRY.read_text(encoding="utf-8")
    changed, count = _PRODUCT_NAMES.subn(rf'\1    "{product}",\n)', text)
    if count != 1:
        raise StepFailedError(f"{REGISTRY.name} has no list PRODUCT_NAMES with one name a line")
    REGISTRY.write_text(changed, encoding="utf-8")


def _format(files: list[Path]) -> None:
    """Sort the imports and break the lines for the new names."""
    paths = [f"{path}" for path in files]
    _run_python("-m", "ruff", "check", "--quiet", "--force-exclude", "--select", "I", "--fix", *paths)
    _run_python("-m", "ruff", "format", "--quiet", "--force-exclude", *paths)


def _update_message_catalogs(folder: Path) -> None:
    """Write the catalogs in the order of their texts, and compile those of guest pages, as `bin/messages` does."""
    for language in sorted(path.name for path in folder.iterdir()):
        path = translations.catalog_path(folder, language)
        path.write_bytes(translations.dump_catalog(translations.update_catalog(folder, language)))
        if language in translations.translated_languages():
            path.with_suffix(".mo").write_bytes(translations.compile_catalog(folder, language))


def _run_python(*command: str) -> str:
    """Run Python with the sources of this repository. Return its output. Raise StepFailedError if it fails."""
    with tempfile.TemporaryDirectory() as data:  # reading the settings creates the data folder
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(f"{ROOT / folder}" for folder in ("src", "cli/src", ".")),
            "DJANGO_SETTINGS_MODULE": "workspace.settings",
            "WORKSPACE_DATA": data,
        }
        done = subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise StepFailedError(f"{' '.join(command[:3])} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def _remove(folder: Path, files: list[Path]) -> None:
    """Delete the product's folder, and the other files together with folders that become empty."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in files:
        path.unlink(missing_ok=True)
        if path.parent.is_dir() and not any(path.parent.iterdir()):
            path.parent.rmdir()
