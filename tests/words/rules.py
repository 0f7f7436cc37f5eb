"""The rules of docs/voice.md: phrases, terms, and the shape of each kind of text."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.words.text import PLACEHOLDER, Text, needs_translation, word_set

FOLDER = Path(__file__).resolve().parent
MAX_SENTENCE_WORDS = 25
MAX_BUTTON_WORDS = 4
MAX_MESSAGE_WORDS = 8
MAX_DESCRIPTION = 300
GUIDE = "docs/voice.md"  # it quotes wrong phrases, so it is not checked


@dataclass(frozen=True, slots=True)
class Fault:
    """A text that breaks a rule. `category` groups rules, and `found` contains the wrong words."""

    category: str
    rule: str
    suggestion: str
    text: Text
    found: str = ""

    def __str__(self) -> str:
        found = f" ({self.found!r})" if self.found else ""
        shown = self.text.text if len(self.text.text) <= 160 else f"{self.text.text[:159]}…"
        return f"{self.text.place}: {shown!r}\n    {self.rule}{found} -> {self.suggestion}"


@dataclass(frozen=True, slots=True)
class Words:
    """A phrase or term to avoid, and its replacement."""

    category: str
    name: str
    pattern: re.Pattern[str]
    use: str
    kinds: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    exceptions: Mapping[str, str] = field(default_factory=dict)

    def is_about(self, text: Text) -> bool:
        """Return whether the rule applies to this kind of text and to its file."""
        if (self.kinds and text.kind not in self.kinds) or not text.path.startswith(self.paths or ""):
            return False
        return not any(text.path.startswith(path) for path in self.exceptions)

    def check(self, text: Text) -> Iterator[Fault]:
        """Yield a fault for each hit in one text."""
        for found in self.pattern.finditer(text.text) if self.is_about(text) else ():
            yield Fault(self.category, self.name, self.use, text, found[0])

    def check_all(self, texts: Texts) -> Iterator[Fault]:
        """Yield the same faults as `check` for each text, in one search through all of them, which is much faster."""
        end = -1
        for found in self.pattern.finditer(texts.joined):
            if found.start() < end:
                continue
            number = bisect_right(texts.starts, found.start()) - 1
            end = texts.starts[number + 1] if number + 1 < len(texts.starts) else len(texts.joined)
            yield from self.check(texts.listed[number])


class Texts:
    """Texts joined into one, each on its own line, to search all of them at once."""

    def __init__(self, listed: Sequence[Text]) -> None:
        self.listed = listed
        self.joined = "\n".join(text.text.replace("\n", " ") for text in listed)
        self.starts = list(accumulate((len(text.text) + 1 for text in listed[:-1]), initial=0))


@dataclass(frozen=True, slots=True)
class Shape:
    """A rule for the form of some kinds of texts. `is_wrong` returns whether a text breaks it."""

    category: str
    name: str
    suggestion: str
    kinds: frozenset[str]
    is_wrong: Callable[[str], bool]

    def check(self, text: Text) -> Iterator[Fault]:
        if (not self.kinds or text.kind in self.kinds) and self.is_wrong(text.text):
            yield Fault(self.category, self.name, self.suggestion, text)


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text())


def load_words() -> list[Words]:
    """Return all phrases and terms."""
    rows = [("phrases", row) for row in _load("phrases.toml")["phrase"]]
    rows += [("terms", row) for row in _load("terms.toml")["term"]]
    return [
        Words(
            category,
            row["name"],
            re.compile(row["not"].replace("[^", r"[^\n"), re.MULTILINE | re.IGNORECASE),
            row["use"],
            frozenset(row.get("kinds", ())),
            tuple(row.get("paths", ())),
            row.get("except", {}),
        )
        for category, row in rows
    ]


def _verbs() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(_load('terms.toml')['verbs'])})\b")


_PRONOUN = re.compile(r"\b(?:it|them|that|these|those|its|their|I|me|my|mine)\b", re.IGNORECASE)
_PRONOUN_OPENING = re.compile(
    r"(?:It|This|That|There|Nothing|Nobody|No one) (?:is|was|are|were|has|have|stands|counts)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[”’\"')]*\s+|\s·\s|\n")
_VERB = _verbs()


def _count_words(text: str) -> int:
    return len(text.split())


def has_long_sentence(text: str) -> bool:
    """Return whether a sentence of the text has more words than allowed."""
    return any(_count_words(sentence) > MAX_SENTENCE_WORDS for sentence in _SENTENCE_END.split(text))


def _is_long_button(text: str) -> bool:
    return _count_words(PLACEHOLDER.sub("X", text)) > MAX_BUTTON_WORDS


def _is_lower_case(text: str) -> bool:
    return text[:1].islower() and not text.startswith("svc_")


def _is_singular_empty_state(text: str) -> bool:
    """Return whether a title of an empty state names one item ("No menu yet") or nothing ("Nothing here")."""
    found = re.fullmatch(
        r"No ((?:[\w-]+ )*?[\w-]+)(?: (?:yet|found|left|match\b.*|waiting|for\b.*|in\b.*|to\b.*))?", text
    )
    return found is None or not re.search(r"(?:s|people|staff|data|media|feedback|history|activity)\b", found[1])


def _is_long_message(text: str) -> bool:
    return _count_words(_SENTENCE_END.split(text)[0]) > MAX_MESSAGE_WORDS


def _has_no_period(text: str) -> bool:
    return not re.search(r"[.!?…)”\"}]$", text)


_BUTTON = frozenset(["button"])
_EMPTY = frozenset(["empty state"])
_MESSAGE = frozenset(["message"])
_ERROR = frozenset(["error"])
_LABEL = frozenset(["label"])
_SUBJECT = frozenset(["email subject"])
_CONFIRMATION = frozenset(["confirmation"])
_NAVIGATION = frozenset(["navigation"])
_ANY: frozenset[str] = frozenset()
_TITLE, _DESCRIPTION, _ARGUMENT = (frozenset([f"tool {part}"]) for part in ("title", "description", "argument"))

SHAPES = (
    Shape("long sentences", "a sentence of 26 words or more", "split it: at most 20 words", _ANY, has_long_sentence),
    Shape("buttons", "a button of more than 4 words", "verb and noun: Create menu", _BUTTON, _is_long_button),
    Shape("buttons", "a button with a pronoun", "name the item", _BUTTON, lambda text: bool(_PRONOUN.search(text))),
    Shape("buttons", "a button that ends with a period", "drop it", _BUTTON, lambda text: text.endswith(".")),
    Shape("buttons", "a button that starts with a small letter", "sentence case", _BUTTON, _is_lower_case),
    Shape("empty states", "not “No” and a plural", "No menus yet", _EMPTY, _is_singular_empty_state),
    Shape("messages", "a first sentence of more than 8 words", "Menu saved.", _MESSAGE, _is_long_message),
    Shape("messages", "no period at the end", "Menu saved.", _MESSAGE, _has_no_period),
    Shape(
        "messages", "starts with a pronoun", "past participle: Menu saved.", _MESSAGE,
        lambda text: bool(_PRONOUN_OPENING.match(text)),
    ),
    Shape(
        "errors", "“There is no such …” or “This is no …”", "No menu has this ID. / Enter a …", _ERROR,
        lambda text: bool(re.match(r"(?:There is no such|(?:This|That|It) is no )\b", text)),
    ),
    Shape(
        "errors", "more than one “please”", "say what is wrong and what to do", _ERROR,
        lambda text: len(re.findall(r"\bplease\b", text, re.IGNORECASE)) > 1,
    ),
    Shape(
        "confirmations", "not a question that starts with its verb", "Delete “Lunch menu”?", _CONFIRMATION,
        lambda text: not re.fullmatch(r"[A-Z][a-z]+ .*\?", text) or bool(_PRONOUN.search(text)),
    ),
    Shape(
        "email subjects", "one word, or a period at the end", "the news with names: Booked: Ada, May 5", _SUBJECT,
        lambda text: text.endswith(".") or not re.search(r"\s|\{", text),
    ),
    Shape("labels", "ends with a colon", "a noun", _LABEL, lambda text: text.endswith(":")),
    Shape(
        "navigation", "starts with a verb, or more than 4 words", "a noun phrase: Export and import", _NAVIGATION,
        lambda text: _count_words(text) > MAX_BUTTON_WORDS or text.endswith((".", "?")),
    ),
    Shape("tool titles", "no verb of the list first", "Create a QR code", _TITLE, lambda text: not _VERB.match(text)),
    Shape(
        "tool descriptions", "no verb of the list first", "Verb and what", _DESCRIPTION,
        lambda text: not _VERB.match(text),
    ),
    Shape(
        "tool descriptions", "over 300 characters", "shorten it", _DESCRIPTION,
        lambda text: len(text) > MAX_DESCRIPTION,
    ),
    Shape("tool descriptions", "a line break", "one line", _DESCRIPTION, lambda text: "\n" in text),
    Shape(
        "tool arguments", "no description", "what it is, format, default, allowed values", _ARGUMENT,
        lambda text: not text,
    ),
)  # fmt: skip

_WRAPPED_KINDS = word_set("button link heading label text aria confirmation message navigation email") | {
    "tag argument",
    "empty state",
    "email subject",
}


def find_unwrapped(text: Text) -> Iterator[Fault]:
    """Yield a fault if a text of a page or an email is not marked for translation."""
    if not text.path.startswith("src/workspace/") or "/demo" in text.path:  # the demo's content is in English
        return
    if text.kind in _WRAPPED_KINDS and not text.is_wrapped and needs_translation(text.text):
        yield Fault("wrapping", "not marked for translation", "{% translate %} or gettext", text)


def find_faults(texts: Iterable[Text]) -> list[Fault]:
    """Return all faults of the texts. Equal words at different places of a file are separate faults."""
    listed = [text for text in texts if text.path != GUIDE]
    joined = Texts(listed)
    found = [fault for words in load_words() for fault in words.check_all(joined)]
    shapes = {
        kind: [shape for shape in SHAPES if not shape.kinds or kind in shape.kinds]
        for kind in {text.kind for text in listed}
    }
    for text in listed:
        for shape in shapes[text.kind]:
            found += shape.check(text)
        found += find_unwrapped(text)
    return found
