"""The characters of the fonts, read with fontTools."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fontTools.ttLib import TTCollection, TTFont

from workspace.documents.glyph_coverage import FONT_FOLDER, HAN_PACKAGE

COVERAGE = FONT_FOLDER / "coverage.json"


def own_characters() -> set[int]:
    """Return the characters of the regular Noto fonts, which every document uses. Bold fonts have the same."""
    return {char for path in FONT_FOLDER.glob("Noto*-Regular.ttf") for char in characters_of(path)}


def characters_of(path: Path) -> set[int]:
    with TTFont(path, lazy=True) as font:
        return set(font.getBestCmap())


def han_characters() -> set[int]:
    folder = Path(str(importlib.import_module(HAN_PACKAGE).__file__)).parent
    (path,) = folder.glob("*.ttc")
    with TTCollection(path, lazy=True) as collection:
        return set.intersection(*(set(font.getBestCmap()) for font in collection.fonts))


def ranges(chars: Iterable[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for char in sorted(chars):
        if found and found[-1][1] == char - 1:
            found[-1][1] = char
        else:
            found.append([char, char])
    return found


def coverage() -> dict[str, Any]:
    """Return the content of coverage.json. `faces` are the common characters of all weights of each display font."""
    faces: dict[str, set[int]] = {}
    for path in sorted(FONT_FOLDER.glob("*.ttf")):
        if not path.name.startswith("Noto"):
            faces.setdefault(family(path), characters_of(path)).intersection_update(characters_of(path))
    own_faces = {name: ranges(chars) for name, chars in sorted(faces.items())}
    return {"own": ranges(own_characters()), "han": ranges(han_characters()), "faces": own_faces}


def family(path: Path) -> str:
    with TTFont(path, lazy=True) as font:
        return str(font["name"].getBestFamilyName())


if __name__ == "__main__":
    COVERAGE.write_text(json.dumps(coverage(), separators=(",", ":")) + "\n")
