"""Parsing objects whose keys may have several names, with all errors reported together at the caller's paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BeforeValidator, ValidationError

from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.messages import Message
from workspace.lib.text import has_control_characters
from workspace.tools import messages
from workspace.tools.validation import MAX_ISSUES

T = TypeVar("T")
KeyNames = Mapping[str, Sequence[str]]  # each key with its aliases


class Issues(list[Issue]):
    """The errors so far."""

    def add(self, path: str, message: str | Message) -> None:
        self.append(Issue(path, message))

    @contextmanager
    def collect_errors(self) -> Iterator[None]:
        """Collect the issues of an InvalidInputError raised inside the context, to report them with the others."""
        try:
            yield
        except InvalidInputError as refusal:
            self.extend(refusal.issues)

    def raise_if_any(self) -> None:
        """Raise InvalidInputError if there are issues."""
        if self:
            raise InvalidInputError(self[:MAX_ISSUES])


def raise_argument_error(issues: Sequence[Issue], value: Any) -> None:
    """Raise the issues as errors of the argument that is being parsed.

    pydantic prepends the argument's name to the paths.
    """
    if not issues:
        return
    details: list[Any] = [
        {
            "type": "value_error",
            "loc": tuple(int(part) if part.isdigit() else part for part in issue.path.split(".") if part),
            "input": None,
            "ctx": {"error": ValueError(issue.text)},
        }
        for issue in issues[: MAX_ISSUES + 1]
    ]
    raise ValidationError.from_exception_data("value", details)


def build_validator(
    read: Callable[[Any], tuple[Any, Issues]], stored: Callable[[Any], Any] = lambda found: found
) -> BeforeValidator:
    """Return a validator that parses a value, converts it for storage, and reports all errors together."""

    def check(value: Any) -> Any:
        found, issues = read(value)
        raise_argument_error(issues, value)
        return stored(found)

    return BeforeValidator(check)


class ObjectReader:
    """Reads an object at a path.

    Each key is read once, and `reject_unknown_keys` rejects keys that do not exist.
    """

    def __init__(self, value: Any, path: str, names: KeyNames, issues: Issues, noun: str) -> None:
        self.path, self.names, self.issues, self.noun = path, names, issues, noun
        self.is_object = isinstance(value, Mapping)
        if not self.is_object:
            issues.add(path, messages.OBJECT_EXPECTED)
        self.values: Mapping[str, Any] = {k: v for k, v in value.items() if v is not None} if self.is_object else {}

    def key_path(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def given_keys(self, name: str) -> list[str]:
        """Return the names under which a key was given, in the caller's order."""
        others = self.names.get(name)
        if not others:
            return [name] if name in self.values else []
        return [key for key in self.values if key == name or key in others]

    def given_key(self, name: str) -> str:
        """Return the name that the caller used for a key, or else our own."""
        return next(iter(self.given_keys(name)), name)

    def has_key(self, name: str) -> bool:
        return bool(self.given_keys(name))

    def add_issue(self, name: str, message: str | Message) -> None:
        self.issues.add(self.key_path(self.given_key(name)), message)

    def read_key(self, name: str, read: Callable[[Any], T], default: T) -> T:
        """Return the value of a key under any of its names, or the default. Reject a second, different value."""
        found: list[T] = []
        for key in self.given_keys(name):
            try:
                value = read(self.values[key])
            except ValueError as problem:
                self.issues.add(self.key_path(key), str(problem))
                return default
            if found and value != found[0]:
                self.issues.add(self.key_path(key), messages.CONFLICTING_NAMES(other=self.given_keys(name)[0]))
            found.append(value)
        return found[0] if found else default

    def reject_unknown_keys(self) -> None:
        known = {*self.names, *(other for others in self.names.values() for other in others)}
        for key in self.values:
            if key not in known:
                self.issues.add(self.key_path(key), messages.UNKNOWN_KEY(noun=self.noun, names=", ".join(self.names)))


def line_parser(max_length: int, min_length: int = 0) -> Callable[[Any], str]:
    """Return a parser for one line of text with `min_length` to `max_length` characters."""

    def parse_line(value: Any) -> str:
        text = _check_text(value, max_length, min_length)
        if has_control_characters(text):
            raise ValueError(messages.PLAIN_LINE_REQUIRED)
        return text

    return parse_line


def lines_parser(max_length: int) -> Callable[[Any], str]:
    def parse_lines(value: Any) -> str:
        text = _check_text(value, max_length, 0).replace("\r\n", "\n").replace("\r", "\n")
        if has_control_characters(text, multiline=True):
            raise ValueError(messages.PLAIN_TEXT_REQUIRED)
        return text

    return parse_lines


def _check_text(value: Any, max_length: int, min_length: int) -> str:
    if not isinstance(value, str):
        raise ValueError(messages.TEXT_EXPECTED)
    text = value.strip()
    if len(text) < min_length:
        raise ValueError(messages.EMPTY)
    if len(text) > max_length:
        raise ValueError(messages.TOO_LONG(most=f"{max_length:,}"))
    return text


def parse_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(messages.FLAG_EXPECTED)
    return value


def parse_array(value: Any, path: str, max_items: int, issues: Issues) -> list[Any]:
    """Return the entries of a list. If it is not a list or too long, report that and return an empty list."""
    if not isinstance(value, list):
        issues.add(path, messages.ARRAY_EXPECTED)
        return []
    if len(value) > max_items:
        issues.add(path, messages.TOO_MANY_ENTRIES(most=max_items))
        return []
    return value


def id_generator(prefix: str, existing: Iterable[str]) -> Callable[[], str]:
    """Return a generator of ids for new entries, such as `l7` after `l6`."""
    taken = set(existing)
    last = max((int(id[1:]) for id in taken if id[:1] == prefix and id[1:].isdigit() and len(id) < 8), default=0)

    def following() -> str:
        nonlocal last
        last += 1
        return f"{prefix}{last}"

    return following
