"""Patterns for answers, such as `[A-Z]{2}[0-9]{4}`: a small subset of regular expressions.

A pattern is compiled to a program that reads the text only once, so no pattern can block a server or a browser. The
construction is Thompson's (R. Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009). A program is a
list of JSON instructions, which the script in the browser uses as well:

    ["in", negated, [[from, to], …]]   one character of these code points (or of none of them)
    ["or", a, b]                       continue at both
    ["go", a]                          continue at a
    ["end"]
"""

from __future__ import annotations

from typing import Any

from workspace.products.form import messages

MAX_PATTERN_LENGTH, MAX_STEPS, MAX_TEXT_LENGTH = 100, 300, 200
MAX_DEPTH = 10
Program = list[list[Any]]
_DIGITS, _SPACES = [(48, 57)], [(9, 13), (32, 32), (160, 160)]
_WORDS = [(48, 57), (65, 90), (95, 95), (97, 122)]
_CHARACTER_SETS = {"d": _DIGITS, "s": _SPACES, "w": _WORDS}
_ANY_CHARACTER = [(0, 0x10FFFF)]
_ESCAPABLE_CHARACTERS = "\\^$.|?*+()[]{}/-"


def compile_pattern(pattern: str) -> Program:
    """Compile a pattern. Raise ValueError with a human-readable message."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(messages.TOO_LONG(most=MAX_PATTERN_LENGTH))
    reader = _PatternParser(pattern.removeprefix("^").removesuffix("$") if not pattern.endswith("\\$") else pattern)
    tree = reader.parse_alternatives(0)
    if reader.rest:
        raise ValueError(messages.PATTERN_NOT_SUPPORTED)
    program: Program = []
    _emit_tree(tree, program)
    program.append(["end"])
    return program


def matches_pattern(program: Program, text: str) -> bool:
    """Return whether the pattern matches the whole text. Text that is too long does not match."""
    if len(text) > MAX_TEXT_LENGTH:
        return False
    now = _follow_jumps(program, [0])
    for char in text:
        point = ord(char)
        now = _follow_jumps(
            program, [at + 1 for at in now if program[at][0] == "in" and _matches_step(program[at], point)]
        )
        if not now:
            return False
    return any(program[at][0] == "end" for at in now)


def _matches_step(step: list[Any], point: int) -> bool:
    return any(low <= point <= high for low, high in step[2]) is not step[1]


def _follow_jumps(program: Program, starts: list[int]) -> list[int]:
    seen: set[int] = set()
    results: list[int] = []
    waiting = starts[::-1]
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        step = program[at]
        if step[0] in ("or", "go"):
            waiting += step[1:]
        else:
            results.append(at)
    return results


class _PatternParser:
    """Parses a pattern.

    Trees are ("in", negated, ranges), ("all", [trees]), ("any", [trees]), ("times", tree, min, max or None).
    """

    def __init__(self, pattern: str) -> None:
        self.rest = pattern

    def parse_alternatives(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise ValueError(messages.GROUPS_TOO_DEEP(most=MAX_DEPTH))
        results = [self.parse_sequence(depth)]
        while self.rest[:1] == "|":
            self.rest = self.rest[1:]
            results.append(self.parse_sequence(depth))
        return ("any", results) if len(results) > 1 else results[0]

    def parse_sequence(self, depth: int) -> Any:
        parts = []
        while self.rest and self.rest[0] not in "|)":
            parts.append(self.parse_repeat(self.parse_atom(depth)))
        return ("all", parts)

    def parse_atom(self, depth: int) -> Any:
        char = self.take_character()
        if char == "(":
            self.rest = self.rest.removeprefix("?:")
            inner = self.parse_alternatives(depth + 1)
            if self.rest[:1] != ")":
                raise ValueError(messages.GROUP_NOT_CLOSED)
            self.take_character()
            return inner
        if char == "[":
            return self.parse_set()
        if char == "\\":
            return ("in", False, self.parse_escape())
        if char == ".":
            return ("in", False, _ANY_CHARACTER)
        if char in "^$?*+{}]":
            raise ValueError(messages.PATTERN_NOT_SUPPORTED)
        return ("in", False, [(ord(char), ord(char))])

    def parse_set(self) -> Any:
        negated = self.rest[:1] == "^"
        self.rest = self.rest.removeprefix("^")
        ranges: list[tuple[int, int]] = []
        while self.rest[:1] != "]":
            char = self.take_character()
            if char == "[":
                raise ValueError(messages.PATTERN_NOT_SUPPORTED)
            low = self.parse_escape() if char == "\\" else [(ord(char), ord(char))]
            if self.rest[:1] == "-" and self.rest[1:2] not in ("]", "") and len(low) == 1:
                self.take_character()
                char = self.take_character()
                high = self.parse_escape() if char == "\\" else [(ord(char), ord(char))]
                if high[0][0] < low[0][0] or len(high) > 1:
                    raise ValueError(messages.RANGE_REVERSED)
                low = [(low[0][0], high[0][1])]
            ranges += low
        self.take_character()
        if not ranges:
            raise ValueError(messages.CHARACTERS_NEEDED)
        return ("in", negated, ranges)

    def parse_escape(self) -> list[tuple[int, int]]:
        char = self.take_character()
        if char in _CHARACTER_SETS:
            return list(_CHARACTER_SETS[char])
        if char not in _ESCAPABLE_CHARACTERS:
            raise ValueError(messages.PATTERN_NOT_SUPPORTED)
        return [(ord(char), ord(char))]

    def parse_repeat(self, atom: Any) -> Any:
        char = self.rest[:1]
        if char in ("?", "*", "+"):
            self.take_character()
            least, most = {"?": (0, 1), "*": (0, None), "+": (1, None)}[char]
        elif char == "{":
            inside, closed, self.rest = self.rest[1:].partition("}")
            low, comma, high = inside.partition(",")
            if not closed or not low.isdecimal() or not (high.isdecimal() or not high) or len(inside) > 7:
                raise ValueError(messages.INVALID_REPETITION)
            least, most = int(low), int(high) if high else None if comma else int(low)
            if most is not None and most < least:
                raise ValueError(messages.REPETITION_REVERSED)
        else:
            return atom
        if self.rest[:1] in ("?", "*", "+", "{"):
            raise ValueError(messages.PATTERN_NOT_SUPPORTED)
        return ("times", atom, least, most)

    def take_character(self) -> str:
        if not self.rest:
            raise ValueError(messages.PATTERN_INCOMPLETE)
        char, self.rest = self.rest[0], self.rest[1:]
        return char


def _emit_tree(tree: Any, program: Program) -> None:
    if len(program) > MAX_STEPS:
        raise ValueError(messages.PATTERN_TOO_LARGE)
    kind = tree[0]
    if kind == "in":
        program.append(["in", tree[1], [list(pair) for pair in tree[2]]])
    elif kind == "all":
        for part in tree[1]:
            _emit_tree(part, program)
    elif kind == "any":
        _emit_choice(tree[1], program)
    else:
        _emit_repeat(tree[1], tree[2], tree[3], program)


def _emit_choice(parts: Any, program: Program) -> None:
    leaps = []
    for place, part in enumerate(parts):
        if place < len(parts) - 1:
            fork = len(program)
            program.append(["or", fork + 1, 0])
            _emit_tree(part, program)
            leaps.append(len(program))
            program.append(["go", 0])
            program[fork][2] = len(program)
        else:
            _emit_tree(part, program)
    for leap in leaps:
        program[leap][1] = len(program)


def _emit_repeat(part: Any, min_count: int, max_count: int | None, program: Program) -> None:
    before = len(program)
    _emit_tree(part, program)
    if len(program) == before:  # empty, however often it is repeated
        return
    del program[before:]
    for _ in range(min_count):
        _emit_tree(part, program)
    if max_count is None:
        fork = len(program)
        program.append(["or", fork + 1, 0])
        _emit_tree(part, program)
        program.append(["go", fork])
        program[fork][2] = len(program)
        return
    forks = []
    for _ in range(max_count - min_count):
        forks.append(len(program))
        program.append(["or", len(program) + 1, 0])
        _emit_tree(part, program)
    for fork in forks:
        program[fork][2] = len(program)
