"""The lists of translated terms match the catalogs."""

from __future__ import annotations

import tomllib

import pytest

from tests.words.text import FOLDER
from workspace import translations

LANGUAGES = sorted(path.name.split(".")[1] for path in FOLDER.glob("terms.*.toml"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_listed_term_is_used_in_the_catalogs(language: str) -> None:
    terms: dict[str, str] = tomllib.loads((FOLDER / f"terms.{language}.toml").read_text())["terms"]
    assert len(terms) >= 60
    catalogs = [translations.update_catalog(folder, language) for folder in translations.locale_folders()]
    used = " ".join(str(message.string) for catalog in catalogs for message in catalog if message.id).lower()
    assert [term for term, translation in terms.items() if translation.lower() not in used] == []


def test_lists_exist_only_for_languages_of_guest_pages() -> None:
    assert {"fr", "it", "pt"} <= set(LANGUAGES) <= set(translations.translated_languages())
