"""Text for guests, found in the templates and modules of every product, and in rendered pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from django.template.base import Lexer, TokenType

from workspace import translations

ROOT = translations.ROOT
_INNER = re.compile(r'{%\s*(?:extends|include)\s+"([^"]+)"')
_LETTERS = re.compile(r"[^\W\d_]{2}")
_WORDS = re.compile(r'(?<!_\()"([A-Z][a-z][^"]*)"')
_READ = ("alt", "aria-label", "title", "placeholder")
_NO_TEXT = ("script", "style")
_NAMES = ("Workspace Tools", ".vcf", ".pdf", "#deposit")  # the same in every language


class Page(HTMLParser):
    """The text of a page, and the targets of its links and forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.ways: list[str] = []
        self.root: dict[str, str | None] = {}
        self._silent = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "html":
            self.root = given
        self._silent += tag in _NO_TEXT
        self.texts += [given[name] or "" for name in _READ if name in given]
        if tag == "meta" and re.match(
            r"description|og:(title|description)", given.get("name") or given.get("property") or ""
        ):
            self.texts.append(given.get("content") or "")
        if tag == "a" or (tag == "form" and given.get("method") == "post"):
            self.ways.append(given.get("href") or given.get("action") or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _NO_TEXT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)

    @property
    def wordy_texts(self) -> list[str]:
        """Return the strings that contain words."""
        return [text for text in (" ".join(one.split()) for one in self.texts) if _LETTERS.search(text)]


@cache
def templates() -> dict[str, Path]:
    """Return all templates by name."""
    return {str(path.relative_to(folder)): path for folder in ROOT.rglob("templates") for path in folder.rglob("*.*")}


# marks an email to an owner, or to someone invited to an account
ENGLISH = "{# in English, as owners' pages are #}"


@cache
def guests_templates() -> list[str]:
    """Return the templates of guest pages and of emails to guests, including their parts.

    A guest page extends the guest layout or sets the page's language. An email to an owner is in the folder `owner`, or
    links to notification settings.
    """
    texts = {name: path.read_text() for name, path in templates().items() if path.suffix in (".html", ".txt")}
    owners = {name.removesuffix(".txt") for name, text in texts.items() if "notices_url" in text or ENGLISH in text}
    mails = [name for name in texts if name.startswith("mail/") and name.rpartition(".")[0] not in owners]
    mails = [name for name in mails if not name.startswith("mail/owner/")]
    found = {name for name in mails if f"{name.rpartition('.')[0]}.txt" in texts}
    found |= {name for name, text in texts.items() if "{% page_language %}" in text or name.startswith("public/")}
    while True:
        inner = {one for name in found for one in _INNER.findall(texts[name])}
        # templates that extend a guest page are guest pages; those that include a part of one need not be
        outer = {name for name, text in texts.items() if not name.startswith("mail/") and _frame_of(text) in found}
        if inner | outer <= found:
            return sorted(found)
        found |= inner | outer


def _frame_of(text: str) -> str:
    frame = re.search(r'{%\s*extends\s+"([^"]+)"', text)
    return frame[1] if frame else ""


def untranslated(name: str, path: Path | None = None) -> list[str]:
    """Return the words in a template that are not marked for translation."""
    source = (path or templates()[name]).read_text()
    plain, inside, found = [], "", []
    for token in Lexer(source).tokenize():
        if token.token_type == TokenType.BLOCK:
            tag = token.contents.split()[0]
            if inside:
                inside = "" if tag == inside else inside
            elif tag in ("blocktranslate", "comment"):
                inside = f"end{tag}"
            elif token.contents == "block main_class":
                inside = "endblock"
            if tag not in ("translate", "blocktranslate"):
                found += _WORDS.findall(token.contents)
            plain.append(" ")
        elif token.token_type == TokenType.VAR:
            found += _WORDS.findall(token.contents)
            plain.append(" ")
        elif token.token_type == TokenType.TEXT and not inside:
            plain.append(token.contents)
    text = "".join(plain)
    words = Page(text).wordy_texts if name.endswith(".html") else _split_lines(text)
    return [one for one in found + words if one not in _NAMES]


def _split_lines(text: str) -> list[str]:
    lines = [line.strip() for line in text.lstrip().removeprefix("Subject:").splitlines()]
    return [line for line in lines if _LETTERS.search(line)]


# functions and classes that pass texts to guests, and the names of texts in a page's context
_SAYS = {"needed", "ticked", "Declined", "LiveBlock"}
_SAID = {"heading", "text", "action", "eyebrow"}
_TRANSLATES = {"gettext", "ngettext", "pgettext", "_", "gettext_lazy"}


def unwrapped(path: Path) -> Iterator[str]:
    """Yield `file:line` of words in a module that are passed to guests untranslated."""
    for node in ast.walk(ast.parse(path.read_text())):
        for said in _handed(node):
            if not _is_translated(said) and any(_LETTERS.search(text) for text in _constants(said)):
                yield f"{path.relative_to(ROOT)}:{node.lineno}"  # type: ignore[attr-defined]


def _handed(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SAYS:
        named = [one.value for one in node.keywords if one.arg in ("heading", "label")]
        return named if node.func.id == "LiveBlock" else [*node.args[:1], *named]
    if isinstance(node, ast.Dict) and any(
        isinstance(key, ast.Constant) and key.value == "heading" for key in node.keys
    ):
        pairs = zip(node.keys, node.values, strict=True)
        return [value for key, value in pairs if isinstance(key, ast.Constant) and key.value in _SAID]
    if isinstance(node, ast.Assign) and "problems[" in ast.unparse(node.targets[0]):
        return [node.value]
    return []


def _is_translated(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Call) and ast.unparse(one.func) in _TRANSLATES for one in ast.walk(node))


def _constants(node: ast.expr) -> list[str]:
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
