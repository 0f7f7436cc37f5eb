"""Text as people enter it and as machines compare it."""

from __future__ import annotations

import re
import unicodedata

from workspace.lib.ids import ALPHABET

# C0, DEL and C1 controls, line and paragraph separators, and the bidirectional overrides that can disguise a link.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_ID_OR_MARK = re.compile(rf"(?P<id>(?<![A-Za-z0-9_])[a-z]{{1,12}}_[{ALPHABET}]{{26}}(?![A-Za-z0-9_]))|[\\`*_\[\]<>|#]")

# Letters that people use interchangeably and that Unicode does not decompose.
_SIMILAR_LETTERS = str.maketrans(
    {
        **dict(zip("ıłøđðæœþ", ("i", "l", "o", "d", "d", "ae", "oe", "th"), strict=True)),
        **dict(zip("\u0629\u0649\u06cc\u06a9", "\u0647\u064a\u064a\u0643", strict=True)),  # Arabic and Persian
        "\u0640": "",  # elongates an Arabic word
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060"),  # invisible
    }
)


def search_key(text: str) -> str:
    """Return the text in a form for searching, without case and accents.

    CAFÉ and café are equal, and so are the variants of an Arabic word or of a digit. The key is stored in a separate
    column, because SQLite's LIKE ignores case only in ASCII.
    """
    if text.isascii():
        return text.lower()
    while True:
        # the plain form of a letter may be a capital (𝕬 is A), so one round is not always enough
        plain = unicodedata.normalize("NFKD", text.casefold())
        bare = "".join(char for char in plain if not unicodedata.combining(char)).translate(_SIMILAR_LETTERS)
        folded = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in bare)
        if folded == text:
            return folded
        text = folded


def has_control_characters(text: str, *, multiline: bool = False) -> bool:
    if multiline:
        text = text.replace("\n", "").replace("\t", "")
    return bool(_CONTROLS.search(text))


def escape_markdown(text: str) -> str:
    """Escape text of an owner or a guest for the Markdown of an answer.

    Ids are not changed, so that they can be copied. An underscore within a word is not markup.
    """
    return _ID_OR_MARK.sub(lambda found: found["id"] or f"\\{found[0]}", text).replace("\n", " ")


def format_count(count: int, singular: str, many: str = "") -> str:
    """Format a count with its noun: `1 lead`, `1,200 leads`. `many` is an irregular plural."""
    return f"{count:,} {singular if count == 1 else many or f'{singular}s'}"
