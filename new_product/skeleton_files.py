"""The files of the skeleton, with the names of another product."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from new_product.names import Names

SKELETON = Path(__file__).parent / "skeleton"
SKELETON_NAMES = Names(
    "pinboard",
    "Notice boards",
    "notice board",
    {
        "de": "Schwarze Bretter",
        "es": "Tablones de anuncios",
        "fr": "Tableaux d’affichage",
        "it": "Bacheche",
        "pt": "Quadros de avisos",
    },
)
_TEMPLATE_TAG = re.compile(r"{[{%](.*?)[%}]}")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def render_files(names: Names) -> dict[str, str]:
    """Return the content of each file of a product by its path in the repository."""
    return {
        rename(f"{path.relative_to(SKELETON)}", names): rename(path.read_text(encoding="utf-8"), names)
        for path in _list_files()
    }


def rename(text: str, names: Names) -> str:
    """Replace each spelling of the skeleton's names with that of `names`."""
    spellings = dict(zip(SKELETON_NAMES.list_spellings(), names.list_spellings(), strict=True))
    longest_first = sorted(spellings, key=len, reverse=True)
    # an article is a separate word, also between the underscores of a function's name
    patterns = [rf"(?<![A-Za-z]){spelling}" if spelling[:2] in ("a ", "A ", "a_", "a-") else spelling
                for spelling in longest_first]  # fmt: skip
    return re.sub("|".join(patterns), lambda found: spellings[found[0]], text)


def list_identifiers() -> set[str]:
    """Return the identifiers in the skeleton's code and templates, which no product's name may match."""
    found: set[str] = set()
    for path in _list_files():
        if path.suffix == ".py":
            tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
            found |= {token.string for token in tokens if token.type == tokenize.NAME}
        elif path.suffix == ".html":
            tags = " ".join(_TEMPLATE_TAG.findall(path.read_text(encoding="utf-8")))
            found |= set(re.findall(r"\w+", _QUOTED.sub("", tags)))
    return found - set(SKELETON_NAMES.list_spellings())


def _list_files() -> Iterator[Path]:
    for path in sorted(SKELETON.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            yield path
