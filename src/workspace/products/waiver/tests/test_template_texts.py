"""The texts of waivers are plain and complete in each language."""

from __future__ import annotations

import re

import pytest

from workspace.products.waiver.domain import template_gallery
from workspace.products.waiver.hooks.starter_content import starter_for
from workspace.testing.api import Api

RISK = {
    "en": "carr(?:y|ies) a risk of injury",
    "de": "Verletzungsrisiko besteht|Gefahr von Verletzungen",
    "es": "conllevan? un riesgo de lesiones",
}
CASES = [(name, language) for name in template_gallery.TEMPLATE_NAMES for language in RISK]


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
@pytest.mark.parametrize("language", list(RISK))
def test_the_starter_waiver_of_a_new_account_mentions_the_risk(language: str, api: Api) -> None:
    api.run("svc_brand_edit", languages=[language])
    starter = starter_for(api.account, "trainer")
    assert starter is not None
    [clause] = starter.arguments["clauses"]
    assert re.search(RISK[language], clause["text"]) and api.account.name in starter.arguments["text"]
