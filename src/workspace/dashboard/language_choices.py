"""Choices of the languages in which owners write."""

from __future__ import annotations

from workspace.lib.languages import CONTENT_LANGUAGES, GUEST_LANGUAGES
from workspace.owner_translation import owner_gettext_lazy

LanguageGroup = tuple[str, list[tuple[str, str]]]


def group_languages() -> list[LanguageGroup]:
    """Return the codes and names of all content languages in two groups: those of guest pages, and the others."""
    names = CONTENT_LANGUAGES.items()
    return [
        (owner_gettext_lazy("Everything is translated"), [pair for pair in names if pair[0] in GUEST_LANGUAGES]),
        (
            owner_gettext_lazy("Your own wording only, with buttons in English"),
            [pair for pair in names if pair[0] not in GUEST_LANGUAGES],
        ),
    ]
