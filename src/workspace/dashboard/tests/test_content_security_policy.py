"""The content security policy forbids inline styles and scripts, so no page's template may contain any.

Emails are not pages, and email clients support only inline styles.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
LETTERS = {"mail", "email"}  # folders
TEMPLATES = sorted(p for p in SOURCE.glob("**/templates/**/*.html") if not LETTERS & set(p.parts))
SCRIPTS = sorted(path for path in SOURCE.glob("**/static/**/*.js") if "vendor" not in path.parts)

_FORBIDDEN = {
    "a style attribute": re.compile(r"<[a-z][^>]*\sstyle\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style[\s>]", re.IGNORECASE),
    "an event attribute": re.compile(r"<[a-z][^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "a script without src": re.compile(r"<script(?![^>]*\b(src=|type=\"application/(ld\+)?json\"))", re.IGNORECASE),
    "a javascript address": re.compile(r"javascript:", re.IGNORECASE),
    "something from another host": re.compile(
        r"<(script|link|img|iframe)\b[^>]*\b(src|href)=\"(https?:)?//", re.IGNORECASE
    ),
    "an htmx attribute that needs eval": re.compile(r"\shx-(on[:-]|vals=['\"]?js:)", re.IGNORECASE),
}


def problems(text: str) -> list[str]:
    return [what for what, pattern in _FORBIDDEN.items() if pattern.search(text)]


def test_the_expected_templates_are_found() -> None:
    assert {"page.html", "plain.html"} <= {path.name for path in TEMPLATES}


def find_in(paths: list[Path], pattern: re.Pattern[str]) -> list[str]:
    """Return the files whose text matches, for the message of a failed test."""
    return [str(path.relative_to(SOURCE)) for path in paths if pattern.search(path.read_text())]


@pytest.mark.parametrize("what", _FORBIDDEN)
def test_a_template_contains_nothing_inline(what: str) -> None:
    assert find_in(TEMPLATES, _FORBIDDEN[what]) == []


def test_a_script_writes_no_inline_styles_or_handlers_into_markup() -> None:
    assert SCRIPTS
    assert find_in(SCRIPTS, re.compile(r"\beval\(|new Function\(|document\.write\(|\sstyle=")) == []


@pytest.mark.parametrize(
    "bad",
    [
        '<p class="x" style="color: red">',
        "<style>p {}</style>",
        '<button onclick="go()">',
        "<script>go()</script>",
        '<a href="javascript:go()">',
        '<script src="https://cdn.example/x.js">',
        '<form hx-on:submit="go()">',
    ],
)
def test_forbidden_markup_is_detected(bad: str) -> None:
    assert problems(bad)
