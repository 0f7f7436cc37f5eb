"""The form templates ask the same questions in each language."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from workspace.lib.languages import GUEST_LANGUAGES
from workspace.products.form.domain import template_gallery

FOLDER = Path(template_gallery.__file__).parent / "templates"
TRANSLATED = sorted({path.name.split(".")[1] for path in FOLDER.glob("*.json")} - {"en"})
CASES = [(name, language) for name in template_gallery.TEMPLATE_NAMES for language in ("en", *TRANSLATED)]
TEXT_FIELDS = ("title", "thank_you", "label", "hint")
WRONG_ADDRESS = {  # pronouns and verb forms that forms in this language do not use, and wrong punctuation
    "en": re.compile(r"'|\be-mail\b", re.IGNORECASE),
    "de": re.compile(r"\b(?:du|dich|dir|deine?[mnrs]?)\b|'", re.IGNORECASE),
    "es": re.compile(r"\b(?:usted|ustedes|vosotros|vuestr[oa]s?)\b|'", re.IGNORECASE),
    "fr": re.compile(r"\b(?:tu|ton|ta|tes|toi)\b|(?<!\u202f)[?!;]|(?<!\u00a0)[:»]|«(?!\u00a0)|'", re.IGNORECASE),
    "it": re.compile(r"\b(?:Lei|Suoi?|Su[ae])\b|'"),
    "pt": re.compile(r"\b(?:você|vocês|tu|teus?|tuas?|arquivos?|celular|contatos?|endereços?)\b|'", re.IGNORECASE),
}


def read_file(name: str, language: str) -> Any:
    """Return the content of a template's file. `load_template` would return the English one if it is missing."""
    return json.loads((FOLDER / f"{name}.{language}.json").read_text(encoding="utf-8"))


def list_texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in list_texts(item)]
    if not isinstance(value, dict):
        return []
    own = [text for key, text in value.items() if key in TEXT_FIELDS]
    return own + [text for part in value.values() for text in list_texts(part)]


def remove_texts(value: Any) -> Any:
    """Return the keys, types, options and formulas of a template with an empty string in place of all wording."""
    if isinstance(value, list):
        return [remove_texts(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: "" if key in TEXT_FIELDS else remove_texts(part) for key, part in value.items()}


def test_every_guest_language_has_templates() -> None:
    assert {"de", "es", "fr", "it", "pt", *GUEST_LANGUAGES} - {"en"} <= set(TRANSLATED)


@pytest.mark.parametrize(("name", "language"), CASES)
def test_each_language_has_the_same_questions_as_english(name: str, language: str) -> None:
    found, english = read_file(name, language), read_file(name, "en")
    assert remove_texts(found) == remove_texts(english)
    assert all(text.strip() == text != "" for text in list_texts(found))
    for text, original in zip(list_texts(found), list_texts(english), strict=True):
        assert language == "en" or len(original.split()) < 5 or text != original
        assert not WRONG_ADDRESS[language].search(text), text


@pytest.mark.parametrize(("name", "language"), CASES)
def test_labels_of_options_differ_and_name_the_price_that_counts(name: str, language: str) -> None:
    for page in read_file(name, language)["pages"]:
        for field in page["fields"]:
            options = field.get("options", [])
            assert len({option["label"] for option in options}) == len(options)
            assert all(str(option["score"]) in option["label"] for option in options if "score" in option)
