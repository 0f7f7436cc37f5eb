"""Extracting the new text from an answer by email, without the quoted email and the signature.

Answers between quoted lines are returned with these lines, because they mean nothing alone. Each line is checked once,
up to MAX_LINE_LENGTH, so the time is linear and short for any text.
"""

from __future__ import annotations

import re

MAX_CHARACTERS = 50_000  # maximum length of the text that is checked
MAX_LINE_LENGTH = 300

_ORIGINAL = re.compile(
    r"[-_*=>\s]{0,20}(original message|forwarded message|begin forwarded message|ursprüngliche nachricht"
    r"|original-nachricht|weitergeleitete nachricht|mensaje original|mensaje reenviado|message d'origine"
    r"|messaggio originale|oorspronkelijk bericht)\s?:?[-_*=\s]{0,20}",
    re.IGNORECASE,
)
_FROM = re.compile(r"\*?(from|von|de|da|van)\s?:\*?\s", re.IGNORECASE)
_SENT = re.compile(
    r"\*?(sent|date|gesendet|datum|enviado( el)?|fecha|envoyé|inviato|verzonden)\s?:\*?\s", re.IGNORECASE
)
_WROTE = re.compile(
    r"(\bwrote|\bschrieb\b.{0,120}|\bescribió|\ba écrit|\bha scritto|\bschreef.{0,120})\s?:$", re.IGNORECASE
)
_BEGINS = re.compile(r"(on|am|el|le|il|op)\s.{0,40}\d", re.IGNORECASE)
_PHONE = re.compile(
    r"(sent from my |von meinem .{1,30} gesendet|gesendet von |enviado desde mi |envoyé de mon |inviato da )"
    r"|get outlook for |outlook für (ios|android)",
    re.IGNORECASE,
)
_BAR = re.compile(r"_{8,}")
_TEXT, _QUOTED, _ATTRIBUTION, _REMOVED = range(4)


def extract_new_text(text: str, reply_marker: str = "") -> str:
    """Return the new text, or "". `reply_marker` is our line above which people write their replies."""
    text = text[:MAX_CHARACTERS]
    if reply_marker and reply_marker in text:
        text = text.partition(reply_marker)[0].rstrip("> \t\n|*")
    lines = text.split("\n")
    kinds = _classify_lines(lines)
    said = [at for at, line in enumerate(lines) if kinds[at] == _TEXT and line.strip()]
    quoted = [at for at, kind in enumerate(kinds) if kind == _QUOTED]
    is_between = (
        bool(said and quoted) and said[0] < quoted[-1] and quoted[0] < said[-1] and _is_interleaved(said, quoted)
    )
    kept = [
        line
        for at, line in enumerate(lines)
        if kinds[at] == _TEXT or (is_between and kinds[at] in (_QUOTED, _ATTRIBUTION))
    ]
    return "\n".join(kept).strip()


def _is_interleaved(lines: list[int], quoted: list[int]) -> bool:
    """Return whether there is new text before or between quoted lines, and after some of them."""
    return any(at > quoted[0] for at in lines) and (
        lines[0] < quoted[0] or any(quoted[0] < at < quoted[-1] for at in lines)
    )


def _classify_lines(lines: list[str]) -> list[int]:
    kinds = [_TEXT] * len(lines)
    in_signature = False
    for at, line in enumerate(lines):
        bare = line[:MAX_LINE_LENGTH].strip()
        if line.lstrip().startswith(">"):
            kinds[at], in_signature = _QUOTED, False
        elif _is_original_start(lines, at, bare):
            return [*kinds[:at], *[_REMOVED] * (len(lines) - at)]
        elif (since := _find_attribution(lines, at, bare)) is not None:
            following = next((one.lstrip() for one in lines[at + 1 : at + 6] if one.strip()), "")
            if not following.startswith(">"):  # the mail program does not mark quoted lines
                return [*kinds[:since], *[_REMOVED] * (len(lines) - since)]
            kinds[since : at + 1] = [_ATTRIBUTION] * (at + 1 - since)
        elif in_signature or bare == "--" or _PHONE.match(bare):
            kinds[at] = _REMOVED
            in_signature = in_signature or bare == "--"
    return kinds


def _is_original_start(lines: list[str], at: int, stripped: str) -> bool:
    if _ORIGINAL.fullmatch(stripped):
        return True
    if _BAR.fullmatch(stripped):
        return any(_FROM.match(one[:MAX_LINE_LENGTH].strip() + " ") for one in lines[at + 1 : at + 3])
    if not _FROM.match(stripped + " "):
        return False
    return any(_SENT.match(one[:MAX_LINE_LENGTH].strip() + " ") for one in lines[at + 1 : at + 4])


def _find_attribution(lines: list[str], at: int, stripped: str) -> int | None:
    """Return the first line of an attribution (`On Monday, Anna wrote:`) that ends on this line, or None.

    Mail programs wrap it over up to three lines.
    """
    if not stripped.endswith(":") or not _WROTE.search(stripped):
        return None
    for since in (at, at - 1, at - 2):
        if since < 0 or (since < at and not lines[since].strip()):
            return None
        begins = lines[since][:MAX_LINE_LENGTH].strip()
        if _BEGINS.match(begins) or (since == at and "@" in begins):
            return since
    return None
