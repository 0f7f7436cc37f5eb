"""Counts the lines of HTML templates that are too long to read, and finds words that a line break joins.

STYLE.md explains the effects of line breaks; `workspace/template_layout.py` removes layout.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

LONG = 200
MAX_LONG_SHARE = 0.01
MAX_LENGTH = 340
# a line break beside a tag renders nothing, so a word and an element of its line would touch
INLINE = "a|abbr|b|bdi|code|em|i|kbd|mark|q|small|span|strong|time"
JOINED = re.compile(rf"[^\s>}}][ \t]*\n\s*<(?:{INLINE})[\s>]|</(?:{INLINE})>[ \t]*\n\s*[^\s<{{]")


def list_templates(root: Path) -> list[Path]:
    """Return the HTML templates that are under version control."""
    command = ["git", "ls-files", "*/templates/*.html"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    return [root / name for name in listed if (root / name).exists()]


def find_faults(templates: Sequence[Path]) -> list[str]:
    """Return the faults in the layout of these templates."""
    lengths = [
        (len(line), f"{path}:{number}")
        for path in templates
        for number, line in enumerate(path.read_text().splitlines(), 1)
    ]
    long = [place for length, place in lengths if length > LONG]
    faults = [f"{place} is longer than {MAX_LENGTH} characters" for length, place in lengths if length > MAX_LENGTH]
    if len(long) > MAX_LONG_SHARE * len(lengths):
        faults.append(f"{len(long)} of {len(lengths)} lines are longer than {LONG} characters: {', '.join(long[:20])}")
    return faults + [place for path in templates for place in _find_joined_words(path)]


def _find_joined_words(path: Path) -> list[str]:
    text = path.read_text()
    return [
        f"{path}:{text.count(chr(10), 0, found.start()) + 1} joins a word and an element: no line break between them"
        for found in JOINED.finditer(text)
    ]
