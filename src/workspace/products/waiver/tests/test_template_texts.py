"""The wording of waivers is plain and complete in each language."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from workspace.lib.languages import GUEST_LANGUAGES
from workspace.products.waiver.domain import template_gallery
from workspace.products.waiver.hooks.starter_content import starter_for
from workspace.testing.api import Api

RISK = {
    "en": "carr(?:y|ies) a risk of injury",
    "de": "Verletzungsrisiko besteht|Gefahr von Verletzungen",
    "es": "conllevan? un riesgo de lesiones",
    "fr": "comporte(?:nt)? un risque de (?:blessure|lésions)",
    "it": "comporta(?:no)? un rischio di lesioni",
    "pt": "envolvem? risco de les(?:ão|ões)",
}
CASES = [(name, language) for name in template_gallery.TEMPLATE_NAMES for language in RISK]
FOLDER = Path(template_gallery.__file__).parent / "templates"
TEXT_FIELDS = ("title", "text", "label")
WRONG_ADDRESS = {  # pronouns and verb forms that waivers in this language do not use, and wrong punctuation
    "fr": re.compile(r"\b(?:tu|ton|ta|tes|toi)\b|(?<!\u202f)[?!;]|(?<!\u00a0)[:»]|«(?!\u00a0)|'", re.IGNORECASE),
    "it": re.compile(r"\b(?:tu|ti|te|tuoi?|tu[ae]|puoi|hai|vuoi)\b|'", re.IGNORECASE),
    "pt": re.compile(r"\b(?:você|vocês|tu|teus?|tuas?|arquivos?|celular|contatos?|esportes?)\b|'", re.IGNORECASE),
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
    """Return the keys, types and settings of a template with an empty string in place of all wording."""
    if isinstance(value, list):
        return [remove_texts(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: "" if key in TEXT_FIELDS else remove_texts(part) for key, part in value.items()}


def test_every_guest_language_is_checked() -> None:
    assert set(GUEST_LANGUAGES) <= set(RISK)


@pytest.mark.parametrize(("name", "language"), CASES)
def test_each_language_has_the_same_clauses_and_questions_as_english(name: str, language: str) -> None:
    found, english = read_file(name, language), read_file(name, "en")
    assert remove_texts(found) == remove_texts(english)
    assert all(text.strip() == text != "" for text in list_texts(found))
    for text, original in zip(list_texts(found), list_texts(english), strict=True):
        assert set(re.findall(r"\{\w*\}", text)) <= {"{business}"}
        assert language == "en" or len(original.split()) < 5 or text != original
        assert not (wrong := WRONG_ADDRESS.get(language)) or not wrong.search(text), text


@pytest.mark.parametrize(("name", "language"), CASES)
def test_every_clause_consists_of_complete_sentences(name: str, language: str) -> None:
    result = template_gallery.load_template(name, language)
    for text in (result["text"], *(clause["text"] for clause in result["clauses"])):
        assert text.endswith(".") and ";" not in text, text
        for sentence in re.split(r"(?<=\.) ", text):
            assert len(sentence.split()) >= 4 and sentence[0].isupper(), sentence


@pytest.mark.parametrize(("name", "language"), [case for case in CASES if case[0] != "tattoo"])
def test_the_risk_of_injury_is_mentioned(name: str, language: str) -> None:
    assert any(
        re.search(RISK[language], clause["text"])
        for clause in template_gallery.load_template(name, language)["clauses"]
    )


@pytest.mark.django_db
@pytest.mark.parametrize("language", GUEST_LANGUAGES)
def test_the_starter_waiver_of_a_new_account_mentions_the_risk(language: str, api: Api) -> None:
    api.run("svc_brand_edit", languages=[language])
    starter = starter_for(api.account, "trainer")
    assert starter is not None
    [clause] = starter.arguments["clauses"]
    assert re.search(RISK[language], clause["text"]) and api.account.name in starter.arguments["text"]
