"""Objects as callers write them: a key under one of several names, and all that is wrong with them at once, at the path
that the caller wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BeforeValidator, ValidationError

from workspace.lib.errors import InvalidInput, Issue
from workspace.lib.text import has_controls
from workspace.tools.validation import MAX_ISSUES

T = TypeVar("T")
Names = Mapping[str, Sequence[str]]  # each key with its other names


class Issues(list[Issue]):
    """What is wrong so far."""

    def at(self, path: str, message: str) -> None:
        self.append(Issue(path, message))

    @contextmanager
    def noting(self) -> Iterator[None]:
        """What is refused inside is told with the rest."""
        try:
            yield
        except InvalidInput as refusal:
            self.extend(refusal.issues)

    def refuse(self) -> None:
        """Raises InvalidInput where anything is wrong."""
        if self:
            raise InvalidInput(self[:MAX_ISSUES])


def raise_from(issues: Sequence[Issue], given: Any) -> None:
    """As an error of the argument that is being read, whose own name pydantic puts before the paths."""
    if not issues:
        return
    told: list[Any] = [
        {
            "type": "value_error",
            "loc": tuple(int(part) if part.isdigit() else part for part in issue.path.split(".") if part),
            "input": None,
            "ctx": {"error": ValueError(issue.message)},
        }
        for issue in issues[: MAX_ISSUES + 1]
    ]
    raise ValidationError.from_exception_data("value", told)


def shaped(
    read: Callable[[Any], tuple[Any, Issues]], stored: Callable[[Any], Any] = lambda found: found
) -> BeforeValidator:
    """What callers write as it is stored; all that is wrong with it is told at once."""

    def check(given: Any) -> Any:
        found, issues = read(given)
        raise_from(issues, given)
        return stored(found)

    return BeforeValidator(check)


class Entry:
    """One object at a path. Each key is read once; `finish` refuses those that nobody read."""

    def __init__(self, given: Any, path: str, names: Names, issues: Issues, noun: str) -> None:
        self.path, self.names, self.issues, self.noun = path, names, issues, noun
        self.is_object = isinstance(given, Mapping)
        if not self.is_object:
            issues.at(path, "Expected an object")
        self.given: Mapping[str, Any] = {k: v for k, v in given.items() if v is not None} if self.is_object else {}

    def at(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def keys(self, name: str) -> list[str]:
        """Under which names it was given, in the caller's order."""
        others = self.names.get(name)
        if not others:
            return [name] if name in self.given else []
        return [key for key in self.given if key == name or key in others]

    def key(self, name: str) -> str:
        """The name that the caller used, else our own."""
        return next(iter(self.keys(name)), name)

    def has(self, name: str) -> bool:
        return bool(self.keys(name))

    def wrong(self, name: str, message: str) -> None:
        self.issues.at(self.at(self.key(name)), message)

    def read(self, name: str, read: Callable[[Any], T], default: T) -> T:
        """The value under whichever name, or the default; of two that differ the second is refused."""
        found: list[T] = []
        for key in self.keys(name):
            try:
                value = read(self.given[key])
            except ValueError as problem:
                self.issues.at(self.at(key), str(problem))
                return default
            if found and value != found[0]:
                self.issues.at(self.at(key), f"This is not what {self.keys(name)[0]} says: give one of the two")
            found.append(value)
        return found[0] if found else default

    def finish(self) -> None:
        known = {*self.names, *(other for others in self.names.values() for other in others)}
        for key in self.given:
            if key not in known:
                self.issues.at(self.at(key), f"Unknown here: {self.noun} takes {', '.join(self.names)}")


def line(most: int, least: int = 0) -> Callable[[Any], str]:
    """One line of text of so many characters."""

    def read(value: Any) -> str:
        text = _text(value, most, least)
        if has_controls(text):
            raise ValueError("Use plain text on one line")
        return text

    return read


def lines(most: int) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        text = _text(value, most, 0).replace("\r\n", "\n").replace("\r", "\n")
        if has_controls(text, multiline=True):
            raise ValueError("Use plain text")
        return text

    return read


def _text(value: Any, most: int, least: int) -> str:
    if not isinstance(value, str):
        raise ValueError("Expected text")
    text = value.strip()
    if len(text) < least:
        raise ValueError("Must not be empty")
    if len(text) > most:
        raise ValueError(f"At most {most:,} characters")
    return text


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("Expected true or false")
    return value


def array(given: Any, path: str, most: int, issues: Issues) -> list[Any]:
    """The entries of a list; none where it is none, or has too many."""
    if not isinstance(given, list):
        issues.at(path, "Expected an array")
        return []
    if len(given) > most:
        issues.at(path, f"At most {most} entries")
        return []
    return given


def numbered(prefix: str, given: Iterable[str]) -> Callable[[], str]:
    """Ids for what has none yet: `l7` behind `l6`."""
    taken = set(given)
    last = max((int(id[1:]) for id in taken if id[:1] == prefix and id[1:].isdigit() and len(id) < 8), default=0)

    def following() -> str:
        nonlocal last
        last += 1
        return f"{prefix}{last}"

    return following
