"""Writes the part of Basecoat that our pages use: `python -m tests.used_styles`.

A rule stays unless one of its classes is in no template, script or module of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "src/workspace"
WHOLE = ROOT / "dashboard/static/vendor/basecoat-1.0.2.min.css"
USED = ROOT / "dashboard/static/generated/basecoat.css"
_FOOT = "/*! The part of Basecoat 1.0.2 and Tailwind CSS 4.3.1 that our pages use. MIT: vendor/basecoat.LICENSE.md */\n"
_GROUPS = ("@layer", "@media", "@supports", "@container")
_CLASS = re.compile(r"\.(-?[A-Za-z_](?:[\w-]|\\.)*)")
_ATTRIBUTE = re.compile(r"""\[([\w-]+)(?:[~^$*|]?=([^\]]*))?\]""")
_IN_CLASS = re.compile(r"""class["']?[=:]\s*\\?["']([^"']*)""")
_REGISTRATION = re.compile(r"@property (--[\w-]+)\{[^}]*\}")
_DECLARATION = re.compile(r"""(?<=[{;])(--[\w-]+):(?:[^;{}"]|"[^"]*")*(?:;|(?=\}))""")
_BY_SCRIPT = re.compile(r"\bclass(?:List|Name)\b(.*)")
_TAG = re.compile(r"\{[%{].*?[%}]\}", re.DOTALL)


def select_used(css: str) -> str:
    """Return the rules of a style sheet whose classes are used, and the variables that they need."""
    return _drop_unused_variables("".join(_select_rules(css)))


def _select_rules(css: str) -> Iterator[str]:
    for head, body in _split_rules(css):
        if body is None:
            yield f"{head};"
        elif head.startswith(_GROUPS):
            if inner := "".join(_select_rules(body)):
                yield f"{head}{{{inner}}}"
        elif head.startswith("@"):
            yield f"{head}{{{body}}}"
        elif kept := [one for one in _split_selectors(head) if _is_used(one)]:
            yield f"{','.join(kept)}{{{body}}}"


def _split_rules(css: str) -> Iterator[tuple[str, str | None]]:
    """Yield the head of each rule and the content of its braces, or None for a statement."""
    depth = start = 0
    head = ""
    for part in re.finditer(r"""/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|[{};]""", css, re.DOTALL):
        sign = part[0]
        if sign.startswith("/*") and depth == 0:
            start = part.end()
        elif sign == "{":
            if depth == 0:
                head, start = css[start : part.start()].strip(), part.end()
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                yield head, css[start : part.start()]
                start = part.end()
        elif sign == ";" and depth == 0:
            yield css[start : part.start()].strip(), None
            start = part.end()


def _split_selectors(text: str) -> list[str]:
    """Split at the commas outside parentheses and brackets."""
    found, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            found.append(text[start:at])
            start = at + 1
    return [*found, text[start:]]


def _is_used(selector: str) -> bool:
    """Return whether a selector may match: all of its classes are known, and at least one choice of each `:is()`."""
    outside, inside = [], []
    depth = start = 0
    for at, char in enumerate(selector):
        if char == "(":
            if depth == 0:
                outside.append(selector[start:at])
                start = at + 1
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                if outside[-1].endswith((":is", ":where", ":has")):
                    inside.append(selector[start:at])
                start = at + 1
    outside.append(selector[start:])
    own = "".join(outside)
    if "::-ms-" in own:
        return False
    classes, attributes = _CLASS.findall(_ATTRIBUTE.sub("", own)), _ATTRIBUTE.findall(own)
    known = all(name in list_classes() for name in classes) and all(_is_known(*one) for one in attributes)
    return known and all(any(_is_used(one) for one in _split_selectors(choice)) for choice in inside)


def _is_known(attribute: str, value: str) -> bool:
    """Return whether pages may have the attribute, and its value if it is one of a few words."""
    value = value.strip("\"'")
    if attribute == "role":
        return not value or f'role="{value}"' in join_texts() or f'"role": "{value}"' in join_texts()
    return attribute in list_words() and (not value or not attribute.startswith("data-") or value in list_words())


@cache
def list_classes() -> frozenset[str]:
    """Return all words that may be classes of our pages."""
    classes: set[str] = set()
    for text in _read_texts(".html", ".py", ".js"):
        for given in _IN_CLASS.findall(text) + _IN_CLASS.findall(_TAG.sub(" ", text)) + _BY_SCRIPT.findall(text):
            classes.update(re.findall(r"[\w-]+", given))
    return frozenset(classes)


@cache
def join_texts() -> str:
    """Return the text of our templates, scripts and modules."""
    return "\n".join(_read_texts(".html", ".js", ".py"))


@cache
def list_words() -> frozenset[str]:
    """Return the words of our templates, scripts and modules."""
    return frozenset(re.findall(r"[\w-]+", join_texts()))


def _read_texts(*kinds: str) -> list[str]:
    paths = [path for path in ROOT.rglob("*") if path.suffix in kinds]
    return [path.read_text() for path in paths if not {"vendor", "tests"} & set(path.parts)]


def _drop_unused_variables(css: str) -> str:
    """Drop the declarations and registrations of variables that no rule reads."""
    own = "".join(path.read_text() for path in ROOT.rglob("static/**/*.css") if path not in (WHOLE, USED))
    while (rest := _drop_unread(css, set(re.findall(r"var\(\s*(--[\w-]+)", css + own)))) != css:
        css = rest
    return css


def _drop_unread(css: str, read: set[str]) -> str:
    for pattern in (_REGISTRATION, _DECLARATION):
        css = pattern.sub(lambda found: found[0] if found[1] in read else "", css)
    return css


def render_used_rules() -> str:
    """Return the text of the style sheet that pages load."""
    return select_used(WHOLE.read_text()) + _FOOT


if __name__ == "__main__":
    USED.write_text(render_used_rules())
    print(f"{USED.relative_to(ROOT)}: {USED.stat().st_size} bytes")
