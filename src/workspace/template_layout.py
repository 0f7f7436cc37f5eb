"""A template loader that removes the layout of HTML templates from pages.

A template has one element per line, indented by its depth. One rule keeps that out of the page: **a line break renders
nothing next to a tag, and one space between words; write a space on the line where you want one.** A line break
includes the indentation around it. A tag is an HTML tag or a Django tag (`{% … %}`), whereas a variable (`{{ … }}`) is
a word. Between the attributes of an HTML tag, a line break is one space. Nothing changes inside `pre`, `textarea`,
`script`, `style`, values of attributes, HTML comments, `{% verbatim %}` and `{% blocktranslate %}`, whose text is the
key of translations.

Only HTML templates of this package are changed, when they are compiled. Tokens keep their positions and line numbers,
so that errors name the line in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from django.template import Origin, Template, TemplateDoesNotExist
from django.template.base import DebugLexer, Lexer, NodeList, Token, TokenType
from django.template.loaders import cached
from django.template.loaders.base import Loader as BaseLoader

from workspace.template_values import ValueParser

ROOT = Path(__file__).resolve().parent
# HTML elements whose text is shown or executed unchanged
VERBATIM_ELEMENTS = frozenset({"pre", "script", "style", "textarea"})
# Django tags whose text is not changed
VERBATIM_TAGS = ("blocktranslate", "blocktrans", "verbatim", "comment")

_LINE_BREAK = r"(?P<line_break>[ \t\r\f]*\n\s*)"
_IN_TEXT = re.compile(rf"{_LINE_BREAK}|(?P<comment><!--)|<(?P<tag>[/!]?[a-z][^\s/>]*)", re.ASCII | re.IGNORECASE)
_IN_TAG = re.compile(rf"{_LINE_BREAK}|(?P<quote>[\"'])|(?P<end>>)", re.ASCII)


class LayoutRemover:
    """Removes the layout from the text of one template, token by token. It tracks its position in the HTML."""

    def __init__(self) -> None:
        """Start at the beginning of a template."""
        self._tag = ""  # the name of the current HTML tag, such as `div` or `/div`
        self._until = ""  # what ends a part that is not changed: a quote, `-->` or `</pre`
        self._is_beside_tag = True  # whether a tag, or the start of the template, precedes

    def read_other_token(self, *, is_tag: bool) -> None:
        """Process a token that is not text: a Django tag or a variable."""
        self._is_beside_tag = is_tag

    def remove_layout(self, text: str, *, is_before_tag: bool) -> str:
        """Return the text without its layout.

        `is_before_tag` says whether a Django tag or the end of the template follows the text.
        """
        parts: list[str] = []
        position = 0
        while position < len(text):
            if self._until:
                end = self._find_end(text, position)
                parts.append(text[position:end])
            elif self._tag:
                end = self._read_tag(text, position, parts)
            else:
                end = self._read_text(text, position, parts, is_before_tag)
            position = end
        return "".join(parts)

    def _find_end(self, text: str, position: int) -> int:
        """Return where the unchanged part ends in this text, and leave that part."""
        found = text.lower().find(self._until, position)
        if found < 0:
            return len(text)
        if not self._until.startswith("</"):  # an end tag still has to be read
            found += len(self._until)
        self._is_beside_tag = not self._tag
        self._until = ""
        return found

    def _read_tag(self, text: str, position: int, parts: list[str]) -> int:
        found = _IN_TAG.search(text, position)
        if found is None:
            parts.append(text[position:])
            return len(text)
        parts.append(text[position : found.start()])
        if found["line_break"]:
            parts.append("" if text.startswith((">", "/>"), found.end()) else " ")
            return found.end()
        parts.append(found[0])
        if found["quote"]:
            self._until = found["quote"]
        else:
            self._until = f"</{self._tag}" if self._tag in VERBATIM_ELEMENTS else ""
            self._tag = ""
            self._is_beside_tag = True
        return found.end()

    def _read_text(self, text: str, position: int, parts: list[str], is_before_tag: bool) -> int:
        found = _IN_TEXT.search(text, position)
        end = found.start() if found else len(text)
        if end > position:
            parts.append(text[position:end])
            self._is_beside_tag = False
        if found is None:
            return len(text)
        if found["line_break"]:
            at_end = found.end() == len(text)
            is_before_tag = is_before_tag if at_end else _starts_tag(text, found.end())
            parts.append("" if self._is_beside_tag or is_before_tag else " ")
            return found.end()
        parts.append(found[0])
        if found["comment"]:
            self._until = "-->"
        else:
            self._tag = found["tag"].lower()
        return found.end()


def _starts_tag(text: str, position: int) -> bool:
    found = _IN_TEXT.match(text, position)
    return found is not None and not found["line_break"]


def remove_layout(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens of a template without its layout, and without text that becomes empty."""
    remover = LayoutRemover()
    kept_until = ""
    listed = list(tokens)
    for token, following in zip(listed, [*listed[1:], None], strict=True):
        if token.token_type != TokenType.TEXT:
            remover.read_other_token(is_tag=token.token_type != TokenType.VAR)
            name = token.contents.split()[0] if token.token_type == TokenType.BLOCK and token.contents else ""
            if not kept_until and name in VERBATIM_TAGS:
                kept_until = f"end{name}"
            elif name == kept_until:
                kept_until = ""
        elif not kept_until:
            is_before_tag = following is None or following.token_type != TokenType.VAR
            token.contents = remover.remove_layout(token.contents, is_before_tag=is_before_tag)
        if token.contents or token.token_type != TokenType.TEXT:
            yield token


class LaidOutTemplate(Template):
    """A template that is compiled without its layout."""

    def compile_nodelist(self) -> NodeList:
        """Compile the template as Django does (`Template.compile_nodelist`), after removing the layout."""
        lexer = DebugLexer(self.source) if self.engine.debug else Lexer(self.source)
        tokens = list(remove_layout(lexer.tokenize()))
        parser = ValueParser(tokens, self.engine.template_libraries, self.engine.template_builtins, self.origin)
        try:
            nodelist = parser.parse()
        except Exception as error:
            if self.engine.debug:
                error.template_debug = self.get_exception_info(error, error.token)  # type: ignore[attr-defined]
            raise
        self.extra_data = parser.extra_data
        return nodelist


class _Compiler(BaseLoader):
    def get_template(self, template_name: str, skip: Sequence[Origin] | None = None) -> Template:
        tried = []
        for origin in self.get_template_sources(template_name):
            if skip is not None and origin in skip:
                tried.append((origin, "Skipped to avoid recursion"))
                continue
            try:
                contents = self.get_contents(origin)  # type: ignore[attr-defined]
            except TemplateDoesNotExist:
                tried.append((origin, "Source does not exist"))
                continue
            kind = LaidOutTemplate if has_layout(origin.name) else Template
            return kind(contents, origin, template_name, self.engine)
        raise TemplateDoesNotExist(template_name, tried=tried)


class Loader(cached.Loader, _Compiler):
    """Django's default loader, with templates compiled without their layout."""


def has_layout(path: str) -> bool:
    """Return whether a template's file is an HTML template of this package."""
    return path.endswith(".html") and Path(path).is_relative_to(ROOT)
