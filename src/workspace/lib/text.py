"""Text as people type it and as machines compare it."""

from __future__ import annotations

import re
import unicodedata

from workspace.lib.ids import ALPHABET

# C0, DEL and C1 controls, line and paragraph separators, and the bidirectional overrides that can disguise a link.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_ID_OR_MARK = re.compile(rf"(?P<id>(?<![A-Za-z0-9_])[a-z]{{1,12}}_[{ALPHABET}]{{26}}(?![A-Za-z0-9_]))|[\\`*_\[\]<>|#]")

# Letters that people type in place of one another and that Unicode does not take apart.
_SIMILAR_LETTERS = str.maketrans(
    {
        **dict(zip("ıłøđðæœþ", ("i", "l", "o", "d", "d", "ae", "oe", "th"), strict=True)),
        **dict(zip("\u0629\u0649\u06cc\u06a9", "\u0647\u064a\u064a\u0643", strict=True)),  # Arabic and Persian
        "\u0640": "",  # what draws an Arabic word out
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060"),  # seen by nobody
    }
)


def search_key(text: str) -> str:
    """Case- and accent-folded form for searching: CAFÉ and café are one, so are the ways to write an Arabic word or a
    digit. Kept in a column of its own, since SQLite's LIKE folds ASCII only."""
    if text.isascii():
        return text.lower()
    while True:
        # a letter's plain form may be a capital again (𝕬 is A), so that one round is not always the last
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
    """An owner's or a guest's words inside an answer's Markdown, kept from being read as markup.

    Ids stay as they are, so that they can be copied: an underscore within a word is no markup."""
    return _ID_OR_MARK.sub(lambda found: found["id"] or f"\\{found[0]}", text).replace("\n", " ")


def format_count(count: int, one: str, many: str = "") -> str:
    """`1 lead`, `1,200 leads`; `many` where it is not the word with an s."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
