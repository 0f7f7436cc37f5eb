"""Formulas of calculated fields, such as `{guests} * 28.5 + max({extra}, 10)`.

They are parsed into a JSON tree, which the server and the browser evaluate in the same way, with exact fractions:

    ["num", "28.5"]  ["ref", "guests"]  ["neg", a]  ["inv", a] (1 / a)  ["sum", a, …] (also product, min, max)
    ["round", a, decimals]
"""

from __future__ import annotations

import re
from typing import Any

from workspace.lib.messages import Message
from workspace.products.form import messages

MAX_LENGTH, MAX_DEPTH = 500, 20
Tree = list[Any]
_TOKEN_PATTERN = re.compile(
    r"\s*(?:(\d{1,15}(?:\.\d{1,10})?)|\{\s*([A-Za-z0-9_]{1,60})\s*\}|([A-Za-z_][A-Za-z0-9_]{0,59})|(\{[^{}]*\}?)|(.))",
    re.ASCII,
)
_FUNCTIONS = ("sum", "min", "max")


def parse_formula(text: str) -> Tree:
    """Parse a formula. Raise ValueError with a human-readable message."""
    if len(text) > MAX_LENGTH:
        raise ValueError(messages.TOO_LONG(most=MAX_LENGTH))
    reader = _FormulaParser(text)
    tree = reader.parse_sum(0)
    if reader.current_token:
        raise ValueError(_describe_unexpected(*reader.current_token, follows=True))
    return tree


def referenced_keys(tree: Tree) -> set[str]:
    """Return the keys of the fields that a formula uses."""
    if tree[0] == "ref":
        return {tree[1]}
    return set().union(*(referenced_keys(part) for part in tree[1:] if isinstance(part, list)))


def _describe_unexpected(kind: str, value: str, *, follows: bool = False) -> Message:
    """Return a message about an unexpected token. `follows` means that it comes after a complete expression."""
    if kind == "b" and not value.endswith("}"):
        match = re.match(r"\{\s*([A-Za-z0-9_]{1,60})", value)
        return messages.BRACE_NOT_CLOSED_AFTER(key=match[1]) if match else messages.BRACE_NOT_CLOSED
    if kind == "b":
        return messages.NOT_A_FIELD_KEY(text=value[:60])
    if value == "}":
        return messages.BRACE_NOT_OPENED
    if value == ")":
        return messages.PARENTHESIS_NOT_OPENED
    if follows and kind in "nrw":
        return messages.SIGN_MISSING(text=f"{{{value}}}" if kind == "r" else value)
    return messages.NOT_ALLOWED_IN_FORMULA(text=value)


class _FormulaParser:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        for result in _TOKEN_PATTERN.findall(text.strip()):
            kind, value = next((kind, value) for kind, value in zip("nrwbo", result, strict=True) if value)
            self.tokens.append((kind, value))
        self.place = 0

    @property
    def current_token(self) -> tuple[str, str] | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take_operator(self, *marks: str) -> str:
        """Consume the operator at the current position and return it, or return an empty string."""
        if self.current_token and self.current_token[0] == "o" and self.current_token[1] in marks:
            self.place += 1
            return self.tokens[self.place - 1][1]
        return ""

    def parse_sum(self, depth: int) -> Tree:
        parts = [self.parse_product(depth)]
        while mark := self.take_operator("+", "-", "−"):
            part = self.parse_product(depth)
            parts.append(part if mark == "+" else ["neg", part])
        return ["sum", *parts] if len(parts) > 1 else parts[0]

    def parse_product(self, depth: int) -> Tree:
        parts = [self.parse_signed(depth)]
        while mark := self.take_operator("*", "/", "×", "÷"):
            part = self.parse_signed(depth)
            parts.append(part if mark in "*×" else ["inv", part])
        return ["product", *parts] if len(parts) > 1 else parts[0]

    def parse_signed(self, depth: int) -> Tree:
        if depth > MAX_DEPTH:
            raise ValueError(messages.PARENTHESES_TOO_DEEP(most=MAX_DEPTH))
        if self.take_operator("-", "−"):
            return ["neg", self.parse_signed(depth + 1)]
        return self.parse_atom(depth)

    def parse_atom(self, depth: int) -> Tree:
        if self.take_operator("("):
            inner = self.parse_sum(depth + 1)
            self.expect_close()
            return inner
        if self.current_token is None:
            raise ValueError(messages.FORMULA_INCOMPLETE)
        kind, value = self.current_token
        self.place += 1
        if kind == "n":
            return ["num", value]
        if kind == "r":
            return ["ref", value]
        if kind == "w" and self.current_token == ("o", "("):
            return self.parse_call(value.lower(), depth + 1)
        if kind == "w":
            return ["ref", value]
        raise ValueError(_describe_unexpected(kind, value))

    def parse_call(self, name: str, depth: int) -> Tree:
        self.place += 1
        parts = [self.parse_sum(depth)]
        while self.take_operator(",", ";"):
            parts.append(self.parse_sum(depth))
        self.expect_close()
        if name in _FUNCTIONS:
            return [name, *parts]
        if name == "round" and len(parts) == 1:
            return ["round", parts[0], 0]
        if name == "round" and len(parts) == 2 and parts[1][0] == "num" and parts[1][1] in "0123456":
            return ["round", parts[0], int(parts[1][1])]
        if name == "round":
            raise ValueError(messages.ROUND_SYNTAX)
        raise ValueError(messages.NOT_ALLOWED_IN_FORMULA(text=name[:40]))

    def expect_close(self) -> None:
        if not self.take_operator(")"):
            raise ValueError(messages.PARENTHESIS_NOT_CLOSED)
