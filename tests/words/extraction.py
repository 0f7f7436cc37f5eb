"""All text of the project that people read."""

from __future__ import annotations

import gc
import tomllib

from tests.words.document_texts import list_document_texts
from tests.words.python_texts import list_python_texts
from tests.words.template_texts import list_template_texts
from tests.words.text import FOLDER, Text
from tests.words.tool_texts import list_tool_texts


def list_texts() -> list[Text]:
    """Return all texts. Django must be set up, since tools are read from the catalog."""
    gc.disable()  # the syntax trees of the modules contain no cycles
    try:
        texts = [*list_template_texts(), *list_python_texts(), *list_tool_texts(), *list_document_texts()]
    finally:
        gc.enable()
    data = read_data_files()
    return [text for text in texts if text.kind != "string" or text.path not in data]


def read_data_files() -> dict[str, str]:
    """Return the files whose strings are never shown, each with the reason."""
    files: dict[str, str] = tomllib.loads((FOLDER / "data_files.toml").read_text())["files"]
    return files
