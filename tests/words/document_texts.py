"""Text of documents, help articles and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.words.text import ROOT, Text, clean, has_words, relative

DOCUMENTS = (
    "*.md",
    "docs/*.md",
    "decisions/*.md",
    "cli/*.md",
    "benchmarks/*.md",
    ".github/**/*.md",
    "src/workspace/*/README.md",
)
ARTICLES = "src/workspace/support/articles/**/*.md"
SCRIPTS = "src/workspace/**/static/**/*.js"
_FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_START_OF_BLOCK = re.compile(r"\s*(?:[-*] |\d+\. |#+ |\||>)")
_STRING = re.compile(r"(\"|'|`)((?:(?!\1)[^\\\n]|\\.)*)\1")
_HEADER_OF_ARTICLE = re.compile(r"(?:pages|picture|related): ")  # `words:` are synonyms for the search


def _strip_markup(markdown: str) -> str:
    """Return Markdown without code, pictures, addresses of links and signs."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"`[^`]*`", "{code}", text)
    text = re.sub(r"<[^>\n]+>", " ", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"\1", text)
    return re.sub(r"\*\*|__|^[#>|*\- ]+|^\d+\. ", "", text, flags=re.MULTILINE)


def split_blocks(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield each paragraph, heading, entry of a list and cell of a table, with its line."""
    source = _FENCE.sub(lambda found: "\n" * found[0].count("\n"), markdown)
    block, start = "", 0
    for number, line in enumerate([*source.split("\n"), ""], 1):
        if block and (not line.strip() or _START_OF_BLOCK.match(line) or block.startswith("#")):
            yield from ((start, cell) for cell in _cells(block))
            block = ""
        if line.strip():
            start = start if block else number
            block = f"{block} {line}" if block else line
    if block:
        yield start, block


def _cells(block: str) -> list[str]:
    if not block.lstrip().startswith("|"):
        return [block]
    return [cell for cell in block.split("|") if re.search(r"[A-Za-z]", cell)]


def read_document(path: Path, kind: str = "document") -> Iterator[Text]:
    """Yield the blocks of a document in Markdown."""
    for line, block in split_blocks(path.read_text()):
        text = clean(_strip_markup(block))
        if has_words(text):
            yield Text(kind, text, relative(path), line)


def read_article(path: Path) -> Iterator[Text]:
    """Yield the title and the blocks of a help article."""
    lines = path.read_text().split("\n")
    body = "\n".join("" if _HEADER_OF_ARTICLE.match(line) or line.startswith("words: ") else line for line in lines)
    for line, block in split_blocks(body):
        text = clean(_strip_markup(block))
        if has_words(text):
            yield Text("help", text, relative(path), line)


def read_script(path: Path) -> Iterator[Text]:
    """Yield the strings of a script that begin as a text does."""
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.lstrip().startswith(("//", "*", "/*")):
            continue
        for found in _STRING.finditer(line):
            text = re.sub(r"\$\{[^}]*\}", "{…}", found[2])
            if (
                re.match(r"(?:[A-Z][a-z’']+|\{…\})(?: |$|…)", text)
                and not re.search(r"[<>=;]", text)
                and has_words(text)
            ):
                yield Text("script", clean(text), relative(path), number)


def list_document_texts() -> Iterator[Text]:
    """Yield the texts of all documents, help articles and scripts."""
    for pattern in DOCUMENTS:
        for path in sorted(ROOT.glob(pattern)):
            yield from read_document(path, "changelog" if path.name == "CHANGELOG.md" else "document")
    for path in sorted(ROOT.glob(ARTICLES)):
        yield from read_article(path)
    for path in sorted(ROOT.glob(SCRIPTS)):
        if "vendor" not in path.as_posix():
            yield from read_script(path)
