"""Files with a product's starter content, one per name and language, such as `contact.de.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from workspace.publishing.language import DEFAULT_LANGUAGE


@cache
def load_starter(folder: Path, name: str, language: str) -> dict[str, Any]:
    """Return the content of a starter file, in English if the language is missing.

    The result is cached, so copy it before changing it.
    """
    path = folder / f"{name}.{language}.json"
    if not path.exists():
        path = folder / f"{name}.{DEFAULT_LANGUAGE}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
