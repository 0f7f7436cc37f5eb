"""The three lists of languages: each contains the ones above it, and the settings follow them."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

import workspace
from workspace.lib.languages import CONTENT_LANGUAGES, GUEST_LANGUAGES, OWNER_LANGUAGES

ROOT = Path(workspace.__file__).parent


def test_owner_languages_are_guest_languages_and_guest_languages_are_content_languages() -> None:
    assert set(OWNER_LANGUAGES) <= set(GUEST_LANGUAGES) <= set(CONTENT_LANGUAGES)


def test_the_settings_offer_the_guest_languages() -> None:
    assert [code for code, _ in settings.LANGUAGES] == list(GUEST_LANGUAGES)
    assert GUEST_LANGUAGES[0] == settings.LANGUAGE_CODE


def test_every_guest_language_but_the_default_has_its_catalogs() -> None:
    for folder in ROOT.rglob("locale"):
        found = {catalog.parent.parent.name for catalog in folder.rglob("django.po")}
        assert set(GUEST_LANGUAGES[1:]) <= found <= set(CONTENT_LANGUAGES), folder  # others are still being translated


def test_no_other_module_lists_the_guest_languages() -> None:
    listed = ", ".join(f'"{code}"' for code in GUEST_LANGUAGES)
    modules = [path for path in ROOT.rglob("*.py") if "tests" not in path.parts and path.name != "languages.py"]
    assert [path for path in modules if listed in path.read_text()] == []
