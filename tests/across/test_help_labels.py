"""Help articles name buttons, tabs and pages as owners see them: every bold label appears on an owner page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from tests.words.template_texts import list_template_texts
from tests.words.text import PLACEHOLDER, ROOT, clean
from workspace.payments.provider_registry import list_titles
from workspace.products import list_manifests
from workspace.support import help_articles
from workspace.support.help_articles import Article
from workspace.translations import OWNER_PATHS

SOURCES = ROOT / "src/workspace"
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
FRAME = "dashboard"  # the package of the dashboard's frame, which is not in a folder of this name
# modules that name what owner pages show
MODULES = (
    f"{FRAME}/*.py",
    "interfaces/*_pages/*.py",
    "products/*/dashboard/*.py",
    "products/*/hooks/*.py",
    "products/*/manifest.py",
    "publishing/*.py",
)
TAG_ARGUMENT = re.compile(r"""\b_\("([^"]+)"\)""")  # of tags such as `{% copy %}`
# what screen readers hear in addition to a label: “Remove {email}” is the button “Remove”
ADDITION = re.compile(r"(?: (?:for|of|to)| ?[(“·:])$")


def test_every_bold_label_of_an_article_is_a_text_of_an_owner_page() -> None:
    unknown = [
        f"{article.slug}: {label}"
        for article in help_articles.list_articles()
        for label in list_labels(article)
        if not is_known(label, article.product)
    ]
    assert not unknown, "\n".join(unknown)


@pytest.mark.parametrize("label", ["See it", "On paper", "Take back", "Bookings and more", "Refund of"])
def test_a_label_that_no_page_shows_is_found(label: str) -> None:
    assert not is_known(label, help_articles.GENERAL_PRODUCT)


def test_a_label_of_another_product_is_found() -> None:
    assert is_known("Availability", "menu")
    assert not is_known("Availability", "qr")


@pytest.mark.parametrize("label", ["Share", "Undo", "Connect Stripe", "Create QR codes", "Withdraw invitation", "Home"])
def test_labels_of_buttons_tabs_and_pages_are_known(label: str) -> None:
    assert is_known(label, help_articles.GENERAL_PRODUCT)


def list_labels(article: Article) -> list[str]:
    return [clean(found) for found in BOLD.findall(article.text)]


def is_known(label: str, product: str) -> bool:
    """Return whether a page of the product or of the account shows the label. Account articles are about all pages."""
    packages = label_packages().get(label, set())
    return bool(packages) if product == help_articles.GENERAL_PRODUCT else bool(packages & {"", package_of(product)})


def package_of(product: str) -> str:
    return next(one.home.removeprefix("/app/") for one in list_manifests() if one.key == product)


@cache
def label_packages() -> dict[str, set[str]]:
    """Return the packages of products that show each label. The package of pages shared by all products is empty."""
    found: dict[str, set[str]] = {}
    for path, text in (*list_page_texts(), *list_module_texts()):
        package = path.split("/")[1] if path.startswith("products/") else ""
        for label in list_readings(text):
            found.setdefault(label, set()).add(package)
    return found


def list_page_texts() -> Iterator[tuple[str, str]]:
    """Yield the text of owners' templates, with their paths."""
    for text in list_template_texts():
        path = text.path.removeprefix("src/workspace/")
        if is_owner_template(path):
            yield path, text.text
    for file in SOURCES.rglob("*.html"):
        path = file.relative_to(SOURCES).as_posix()
        if is_owner_template(path):
            yield from ((path, found) for found in TAG_ARGUMENT.findall(file.read_text()))


def is_owner_template(path: str) -> bool:
    name = path[path.find("templates/") :]
    return path.startswith(f"{FRAME}/") or any(fnmatchcase(name, one) for one in OWNER_PATHS)


def list_module_texts() -> Iterator[tuple[str, str]]:
    """Yield the strings of modules for owner pages, with their paths."""
    for pattern in MODULES:
        for file in SOURCES.glob(pattern):
            path = file.relative_to(SOURCES).as_posix()
            yield from ((path, text) for text in list_strings(file))


def list_strings(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def list_readings(text: str) -> Iterator[str]:
    """Yield the text in each form that an article may use.

    These are without placeholders, up to the first placeholder, and with the names of payment providers.
    """
    yield clean(PLACEHOLDER.sub("", text))
    yield ADDITION.sub("", clean(PLACEHOLDER.split(text, maxsplit=1)[0]))
    if len(PLACEHOLDER.findall(text)) == 1:
        yield PLACEHOLDER.sub(list_titles(), text)
