"""Text of templates: pages and emails, their attributes, and the arguments of their tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from tests.words.text import ROOT, Text, clean, has_words, needs_translation, relative, word_set

TEMPLATES = "src/workspace/**/templates/**/*"
OPENING, CLOSING, BRANCH = "\x02", "\x03", "\x04"  # around a marked text, and between the branches of a condition
_MARKED = re.compile(f"{OPENING}[^{CLOSING}]*{CLOSING}")
_INLINE = word_set("b strong em i span code small kbd abbr time br mark output sup sub u q cite bdi")
_UNREAD = word_set("script style svg pre")  # code
_NAMED = word_set("button option label legend h1 h2 h3 h4 title summary th a")
_ATTRIBUTES = word_set("placeholder aria-label title alt label")
_KINDS = {
    "button": "button", "a": "link", "summary": "link", "h1": "heading", "h2": "heading", "h3": "heading",
    "h4": "heading", "title": "heading", "th": "heading", "label": "label", "legend": "label", "option": "label",
    "@label": "label", "@placeholder": "label", "@aria-label": "aria", "@alt": "aria", "@title": "aria",
    "@value": "button",
}  # fmt: skip
_NO_TEXT = word_set(
    "url href name icon path class id kind type method template field format tool key action autocomplete inputmode"
    " target accept variant size number pattern"
)
_TRANSLATED = re.compile(r"\{%\s*(?:trans|translate)\s+(\"|')(.*?)\1[^%]*%\}", re.DOTALL)
_BLOCK = re.compile(r"\{%\s*(blocktrans|blocktranslate)\b[^%]*%\}(.*?)\{%\s*end\1\s*%\}", re.DOTALL)
# a block inside an attribute `class`
_CLASS_BLOCK = re.compile(r"\{%\s*block (?:\w+_class|framing)\s*%\}.*?\{%\s*endblock\b[^%]*%\}", re.DOTALL)
# a template that is included inside an HTML tag has attributes only
_ATTRIBUTES_ONLY = ("dashboard/parts/field_aria.html", "dashboard/parts/field_limits.html")
_TAG = re.compile(r"\{%\s*([a-z_]+)\s([^%]*)%\}")
_ARGUMENT = re.compile(r"(?:\b(\w+)=)?(\"|')((?:(?!\2).)*)\2")
_TAGS_WITHOUT_TEXT = word_set(
    "extends load block url static if elif with_static cycle now csrf_token icon regroup comment language"
    " get_language_info translate trans blocktranslate blocktrans ifchanged for copy"
)


class _Parser(HTMLParser):
    """A parser that collects the texts of a page by the element that determines their kind.

    `found` has element, text and line.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str, int]] = []
        self._text, self._line = "", 0
        self._element, self._open, self._skipped = "body", list[str](), 0
        self._is_marked = False

    def finish(self) -> None:
        closing, opening = (CLOSING, OPENING) if self._is_marked else ("", "")
        if self._text.strip():
            self.found.append((self._element, self._text + closing, self._line))
        self._text = opening

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in _UNREAD:
            self._skipped += 1
        values = dict(attributes)
        for name, value in attributes:
            is_button = tag == "input" and name == "value" and values.get("type") in ("submit", "button")
            if value and (name in _ATTRIBUTES or is_button or _is_data_text(name, value)):
                self.found.append((f"@{name}", value, self.getpos()[0]))
        if tag in _NAMED:
            self.finish()
            self._element = tag
            self._open.append(tag)
        elif tag not in _INLINE:
            self.finish()
            self._element = self._open[-1] if self._open else tag

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNREAD:
            self._skipped = max(0, self._skipped - 1)
        if tag in _NAMED:
            self.finish()
            while self._open and self._open.pop() != tag:
                pass
        elif tag not in _INLINE:
            self.finish()
        else:
            return
        self._element = self._open[-1] if self._open else "p"

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        if not self._text.strip(OPENING).strip():
            leading = re.match(rf"[\s{OPENING}{CLOSING}{BRANCH}]*", data)
            self._line = self.getpos()[0] + (leading[0].count("\n") if leading else 0)
        self._text += data
        opened, closed = self._text.rfind(OPENING), self._text.rfind(CLOSING)
        self._is_marked = opened > closed


def _is_data_text(name: str, value: str) -> bool:
    return name.startswith("data-") and bool(re.search(r"[a-z] [a-z]", value)) and not re.search(r"[=;{/]", value)


def _keep_lines(replacement: str, found: re.Match[str]) -> str:
    """Return the replacement with as many line breaks as the matched text, so that line numbers remain the same."""
    return replacement + "\n" * (found[0].count("\n") - replacement.count("\n"))


def _mark_block(found: re.Match[str]) -> str:
    body = re.sub(r"\{%\s*plural\s*%\}", f"{CLOSING}{BRANCH}{OPENING}", found[2])
    body = re.sub(r"\{\{\s*(.*?)\s*\}\}", r"{\1}", body)
    return _keep_lines(f"{OPENING}{body}{CLOSING}", found)


def _plain_page(source: str) -> str:
    """Return a template as HTML: marked texts between OPENING and CLOSING, and branches separated."""
    page = re.sub(r"\{#.*?#\}", "", source)
    page = re.sub(r"\{% comment.*?endcomment %\}", lambda found: _keep_lines("", found), page, flags=re.DOTALL)
    page = _CLASS_BLOCK.sub("", page)
    page = re.sub(
        r"\{%\s*block (title|heading)\s*%\}(.*?)\{%\s*endblock\b[^%]*%\}", r"<h1>\2</h1>", page, flags=re.DOTALL
    )
    page = _BLOCK.sub(_mark_block, page)
    return _TRANSLATED.sub(lambda found: f"{OPENING}{found[2]}{CLOSING}", page)


def _without_tags(page: str) -> str:
    page = re.sub(r"\{\{\s*(.*?)\s*\}\}", lambda found: "{" + found[1].split("|")[0] + "}", page, flags=re.DOTALL)
    page = re.sub(r"\{%\s*(?:if|else|elif|endif|empty|block|endblock)\b[^%]*%\}", f" {BRANCH} ", page)
    return re.sub(r"\{%.*?%\}", lambda found: _keep_lines("", found), page, flags=re.DOTALL)


def _argument_texts(page: str, path: str) -> Iterator[Text]:
    """Yield texts in quotes that are arguments of tags, such as `{% empty "No menus yet" … %}`."""
    for tag in _TAG.finditer(page):
        if tag[1] in _TAGS_WITHOUT_TEXT:
            continue
        for place, found in enumerate(_ARGUMENT.finditer(tag[2])):
            name, text = found[1] or "", found[3]
            if name in _NO_TEXT or text.startswith("/") or not re.search(r"[A-Z][a-z]|[a-z] [a-z]", text):
                continue
            if re.fullmatch(r"[jDdlNmFMnyYHiaAPGgsT :,.]+|[\w/]+\.html", text):  # a format of dates, a template
                continue
            line = page[: tag.start()].count("\n") + 1
            kind = (
                "empty state" if tag[1] == "empty" and place == 0 else "button" if name == "button" else "tag argument"
            )
            yield Text(kind, clean(text), path, line, tag[2][found.start() - 2 : found.start()] == "_(", tag[1])


def _email_texts(page: str, path: str) -> Iterator[Text]:
    for number, line in enumerate(_without_tags(page).split("\n"), 1):
        subject = line.strip().startswith("Subject:") or path.endswith("_subject.txt")
        rest = line.replace("Subject:", "")
        for part in rest.split(BRANCH):
            yield from _text_of("email subject" if subject else "email", part, path, number, "p")


def _text_of(kind: str, part: str, path: str, line: int, element: str) -> Iterator[Text]:
    bare = _MARKED.sub("", part)
    text = clean(re.sub(f"[{OPENING}{CLOSING}]", "", part)).strip(" ·|,")
    if has_words(text):
        yield Text(kind, text, path, line, not needs_translation(clean(bare)), element)


def read_template(path: Path) -> Iterator[Text]:
    """Yield the texts of a template."""
    page, name = _plain_page(path.read_text()), relative(path)
    if path.suffix == ".txt":
        yield from _email_texts(page, name)
        return
    yield from _argument_texts(page, name)
    parser = _Parser()
    parser.feed(_without_tags(page))
    parser.finish()
    is_email = "/mail/" in name or "/email/" in name
    for element, text, line in parser.found:
        kind = "email" if is_email else _KINDS.get(element, "text")
        for part in text.split(BRANCH):
            yield from _text_of(kind, part, name, line, element)


def list_template_texts() -> Iterator[Text]:
    """Yield the texts of all templates."""
    for path in sorted(ROOT.glob(TEMPLATES)):
        if path.suffix in (".html", ".txt") and "/tests/" not in path.as_posix() and path.is_file():
            if path.as_posix().endswith(_ATTRIBUTES_ONLY):
                continue
            yield from read_template(path)
