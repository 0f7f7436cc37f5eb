"""What is ready to begin with: files of a product's own, one a name and language, such as `contact.de.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from workspace.publishing.language import DEFAULT_LANGUAGE


@cache
def load_starter(folder: Path, name: str, language: str) -> dict[str, Any]:
    """As its file has it; in English where it is not there in that language. Whoever takes it copies it first."""
    path = folder / f"{name}.{language}.json"
    if not path.exists():
        path = folder / f"{name}.{DEFAULT_LANGUAGE}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
