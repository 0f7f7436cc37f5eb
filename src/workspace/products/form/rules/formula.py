"""Formulas of calculated fields: `{guests} * 28.5 + max({extra}, 10)`. They are read into a tree that JSON holds, which
server and browser count out alike, with exact fractions:

    ["num", "28.5"]  ["ref", "guests"]  ["neg", a]  ["inv", a] (one by it)  ["sum", a, …] (also product, min, max)
    ["round", a, decimals]
"""

from __future__ import annotations

import re
from typing import Any

LONGEST, DEEPEST = 500, 20
Tree = list[Any]
_TOKEN = re.compile(
    r"\s*(?:(\d{1,15}(?:\.\d{1,10})?)|\{\s*([A-Za-z0-9_]{1,60})\s*\}|([A-Za-z_][A-Za-z0-9_]{0,59})|(\{[^{}]*\}?)|(.))",
    re.ASCII,
)
_MANY = ("sum", "min", "max")
_KNOWN = "numbers, fields in braces such as {guests}, + - * / ( ), sum, min, max and round"
_KEY = "letters, digits and _ alone, as in {guests}"


def parsed(text: str) -> Tree:
    """Raises ValueError with a text for people."""
    if len(text) > LONGEST:
        raise ValueError(f"At most {LONGEST} characters")
    reader = _Reader(text)
    tree = reader.sum(0)
    if reader.sign:
        raise ValueError(_in_the_way(*reader.sign, follows=True))
    return tree


def references(tree: Tree) -> set[str]:
    """The keys of the fields that it counts with."""
    if tree[0] == "ref":
        return {tree[1]}
    return set().union(*(references(part) for part in tree[1:] if isinstance(part, list)))


def _in_the_way(kind: str, value: str, *, follows: bool = False) -> str:
    """What to do about what cannot stand there; `follows` on something whole."""
    if kind == "b" and not value.endswith("}"):
        begun = re.match(r"\{\s*([A-Za-z0-9_]{1,60})", value)
        told = f": write {{{begun[1]}}}" if begun else ""
        return f"A brace is opened and not closed{told}"
    if kind == "b":
        return f"“{value[:60]}” names no field: between the braces stands its key, with {_KEY}"
    if value == "}":
        return f"A brace is closed that was not opened: write a field's key with {_KEY}"
    if value == ")":
        return "A bracket is closed that was not opened"
    if follows and kind in "nrw":
        told = f"{{{value}}}" if kind == "r" else value
        return f"Put + - * or / before {told}"
    return f"“{value}” is in the way: use {_KNOWN}"


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        for found in _TOKEN.findall(text.strip()):
            kind, value = next((kind, value) for kind, value in zip("nrwbo", found, strict=True) if value)
            self.tokens.append((kind, value))
        self.place = 0

    @property
    def sign(self) -> tuple[str, str] | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def has(self, *marks: str) -> str:
        """The mark that stands here, taken, or empty."""
        if self.sign and self.sign[0] == "o" and self.sign[1] in marks:
            self.place += 1
            return self.tokens[self.place - 1][1]
        return ""

    def sum(self, depth: int) -> Tree:
        parts = [self.product(depth)]
        while mark := self.has("+", "-", "−"):
            part = self.product(depth)
            parts.append(part if mark == "+" else ["neg", part])
        return ["sum", *parts] if len(parts) > 1 else parts[0]

    def product(self, depth: int) -> Tree:
        parts = [self.signed(depth)]
        while mark := self.has("*", "/", "×", "÷"):
            part = self.signed(depth)
            parts.append(part if mark in "*×" else ["inv", part])
        return ["product", *parts] if len(parts) > 1 else parts[0]

    def signed(self, depth: int) -> Tree:
        if depth > DEEPEST:
            raise ValueError(f"Brackets go {DEEPEST} deep at most")
        if self.has("-", "−"):
            return ["neg", self.signed(depth + 1)]
        return self.atom(depth)

    def atom(self, depth: int) -> Tree:
        if self.has("("):
            inner = self.sum(depth + 1)
            self.close()
            return inner
        if self.sign is None:
            raise ValueError("This formula ends too early")
        kind, value = self.sign
        self.place += 1
        if kind == "n":
            return ["num", value]
        if kind == "r":
            return ["ref", value]
        if kind == "w" and self.sign == ("o", "("):
            return self.call(value.lower(), depth + 1)
        if kind == "w":
            return ["ref", value]
        raise ValueError(_in_the_way(kind, value))

    def call(self, name: str, depth: int) -> Tree:
        self.place += 1
        parts = [self.sum(depth)]
        while self.has(",", ";"):
            parts.append(self.sum(depth))
        self.close()
        if name in _MANY:
            return [name, *parts]
        if name == "round" and len(parts) == 1:
            return ["round", parts[0], 0]
        if name == "round" and len(parts) == 2 and parts[1][0] == "num" and parts[1][1] in "0123456":
            return ["round", parts[0], int(parts[1][1])]
        if name == "round":
            raise ValueError("Write round({key}) or round({key}, 2), with up to 6 decimals")
        raise ValueError(f"“{name[:40]}” is not known here: use {_KNOWN}")

    def close(self) -> None:
        if not self.has(")"):
            raise ValueError("A bracket is not closed")
