"""Parsing the cells of one line of a guest list, with problems for those that could not be saved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workspace.lib.messages import Message
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.models import Reply
from workspace.products.seat.rules.diet_terms import find_plain_diet
from workspace.publishing.diets import DIETS
from workspace.publishing.shared_item_arguments import clean_email

MAX_COMPANIONS = 20  # companions of one guest
MAX_NAME_LENGTH = 200  # characters of a name that are parsed
_YES = """yes, y, ja, j, si, s, sim, oui, o, true, 1, x, ok, accepted, accepts, attending, coming, going, confirmed,
    zugesagt, zusage, kommt, bestatigt, confirmado, confirmada, confirmados, confirma, asiste, asistira, viene, vem,
    vai, presente, ✓, ✔, ☑, ✅"""
_NO = """no, n, nao, nein, non, false, 0, -, declined, declines, not attending, not coming, can't come, cannot come,
    regrets, abgesagt, absage, kommt nicht, rechaza, cancelado, cancela, no asiste, no asistira, no viene, no puede,
    nao vem, nao vai, no confirmado, ✗, ✘, ❌"""
_WAITING = """waiting, pending, open, maybe, tentative, tbc, tbd, ?, ??, not sure, no reply, no answer, not yet,
    invited, offen, noch offen, vielleicht, unsicher, unklar, eingeladen, keine antwort, pendiente, quizas, quiza,
    puede, duda, invitado, invitada, sin respuesta, sin confirmar, por confirmar, pendente, talvez, a confirmar,
    sem resposta, convidado"""
_UNNAMED = """guest, one, plus one, gast, begleitung, tba, tbc, tbd, ?, unknown, invitado, acompanante, acompanhante,
    pareja, partner"""
YES_WORDS, NO_WORDS, WAITING_WORDS, UNNAMED_WORDS = (
    frozenset(word.strip() for word in words.split(",")) for words in (_YES, _NO, _WAITING, _UNNAMED)
)
_EXTRA_PATTERN = re.compile(
    r"\s*(?:\+|,?\s*\b(?:plus|und|and|y|et|mit|with)\s+)\s*(?P<count>\d{1,2}|one|guests?|gast|begleitung|invitado|eins)\s*$",
    re.IGNORECASE,
)
_PARTY_SIZE_PATTERN = re.compile(
    r"\((\d{1,2})\s?(?:p|pers|personen|personas|pessoas|persons|people|pax|gäste|guests)\b\.?\)$", re.IGNORECASE
)  # for example "Berg (4 people)"
COUPLE_PATTERN = re.compile(r"\s*(?:&|\+|\band\b|\bund\b|\by\b|\bet\b|\be\b)\s*", re.IGNORECASE)
_MAX_LENGTHS = (("sort_name", 120), ("meal", 80), ("phone", 40))


@dataclass(slots=True)
class ParsedCells:
    """Parsed cells.

    `fields` are in the format of svc_seat_save_guests. `problems` describe cells that are not saved, by column.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    problems: list[tuple[str, Message]] = field(default_factory=list)

    def truncate(self, name: str, text: str, max_length: int, column: str = "") -> str:
        """Cut the text to `max_length` characters. If it was longer, add a problem for this column."""
        if len(text) > max_length:
            label = messages.FIELD_LABELS[name.replace("_", " ")]
            self.problems.append((column or name, messages.CELL_TRUNCATED(field=label, most=max_length)))
        return text[:max_length]


def parse_cells(cells: Mapping[str, str]) -> ParsedCells:
    """Return the fields of a guest, except name, party and companions."""
    out = ParsedCells()
    for name, most in _MAX_LENGTHS:
        if name in cells:
            out.fields[name] = out.truncate(name, cells[name], most)
    _parse_lists(cells, out)
    _parse_notes(cells, out)
    _parse_email(cells, out)
    if "reply" in cells:
        out.fields["reply"] = _parse_reply(cells["reply"], out)
    _parse_chair(cells, out)
    for name in ("wheelchair", "placeholder"):
        if name in cells:
            out.fields[name] = search_key(cells[name]) not in NO_WORDS
    _parse_seat(cells, out)
    return out


def _parse_email(cells: Mapping[str, str], parsed: ParsedCells) -> None:
    if "email" in cells:
        try:
            parsed.fields["email"] = clean_email(cells["email"])
        except ValueError:
            parsed.problems.append(("email", messages.EMAIL_INVALID(text=cells["email"][:60])))


def _parse_chair(cells: Mapping[str, str], parsed: ParsedCells) -> None:
    if "chair" in cells:
        text = search_key(cells["chair"])
        high = any(word in text for word in ("high", "hoch", "trona"))
        parsed.fields["chair"] = "high" if high else "" if text in NO_WORDS else "child"


def _parse_seat(cells: Mapping[str, str], parsed: ParsedCells) -> None:
    if seat := cells.get("seat"):
        if seat.isdecimal():
            parsed.fields["seat"] = min(60, int(seat[:9]))
        else:
            parsed.problems.append(("seat", messages.SEAT_INVALID(text=seat[:60])))


def _parse_lists(cells: Mapping[str, str], parsed: ParsedCells) -> None:
    if "meals" in cells:
        meals = [meal.strip() for meal in cells["meals"].split("|")]
        parsed.fields["meals"] = [parsed.truncate("meal", meal, 80, "meals") for meal in meals[:8]]
        parsed.fields.pop("meal", None)
        if len(meals) > 8:
            parsed.problems.append(("meals", messages.COURSE_LIMIT(most=8)))
    if "tags" in cells:
        tags = [tag.strip() for tag in cells["tags"].split(",") if tag.strip()]
        parsed.fields["tags"] = [parsed.truncate("tag", tag, 40, "tags") for tag in tags[:20]]
        if len(tags) > 20:
            parsed.problems.append(("tags", messages.TAG_LIMIT(most=20)))


def _parse_notes(cells: Mapping[str, str], parsed: ParsedCells) -> None:
    """Set the notes, including words from other cells that fit no other field."""
    notes = [cells["notes"]] if "notes" in cells else []
    if "diet" in cells:
        parsed.fields["diet"], rest = _parse_diets(cells["diet"])
        notes += [rest] if rest else []
    for name in ("companions", "children", "count"):
        text = cells.get(name, "")
        # more than a number, such as "2 (4, 7)": the ages of the children
        if re.search(r"\d", text) and re.search(r"[^\W\d_]{2}|\d\D+\d", text):
            notes.append(f"{name.capitalize()}: {text}")
    if notes:
        parsed.fields["notes"] = parsed.truncate("note", "; ".join(notes), 500, "notes")


def _parse_reply(text: str, parsed: ParsedCells) -> Reply:
    summary = " ".join(search_key(text).strip(" .!").split())
    if summary in YES_WORDS or summary in NO_WORDS or summary in WAITING_WORDS or not summary:
        return Reply.YES if summary in YES_WORDS else Reply.NO if summary in NO_WORDS else Reply.WAITING
    first, _, rest = re.sub(r"[,;(:/–-].*", " ", summary).strip().partition(" ")
    if not rest and first in YES_WORDS | NO_WORDS:
        problem = messages.REPLY_IS_YES if first in YES_WORDS else messages.REPLY_IS_NO
        parsed.problems.append(("reply", problem(text=text[:60])))
        return Reply.YES if first in YES_WORDS else Reply.NO
    parsed.problems.append(("reply", messages.REPLY_UNKNOWN(text=text[:60])))
    return Reply.WAITING


def parse_companions(text: str) -> tuple[list[str], int]:
    """Return the companions named in the cell, and the number of companions without a name."""
    text = " ".join(text.split())[:MAX_NAME_LENGTH]
    if digits := re.search(r"\d{1,9}", text):
        return [], min(int(digits[0]), MAX_COMPANIONS)
    said = search_key(text).strip(" .!")
    if said in NO_WORDS or not any(char.isalpha() for char in said):
        return [], int("?" in text or "+" in text)
    if said in YES_WORDS or said in UNNAMED_WORDS or is_undecided(text):
        return [], 1
    names = [part for word in re.split(r"[,;/]", text) for part in COUPLE_PATTERN.split(word.strip()) if part]
    return [name[:120] for name in names[:MAX_COMPANIONS]], 0


def is_undecided(text: str) -> bool:
    """Return whether a cell says that the companion is not known yet: `(TBC)`, `(offen)`."""
    summary = " ".join(re.findall(r"[^\W_]+", search_key(text[:MAX_NAME_LENGTH])))
    return summary in WAITING_WORDS or (summary in UNNAMED_WORDS and text.strip().startswith("("))


def strip_companions(name: str) -> tuple[str, int]:
    """Return the name without mentions of companions, and the number of companions."""
    more = 0
    # A cell may be long, and the patterns for companions get slow with many blanks.
    name = " ".join(name.split())[:MAX_NAME_LENGTH]
    if match := _PARTY_SIZE_PATTERN.search(name):
        more += max(0, int(match[1]) - 1)
        name = name[: match.start()].rstrip()
    if match := _EXTRA_PATTERN.search(name):
        count = match["count"]
        more += int(count) if count.isdecimal() else 1
        name = name[: match.start()]
    return name, min(more, MAX_COMPANIONS)


def _parse_diets(text: str) -> tuple[list[str], str]:
    """Return the diets that are recognized, and the other words."""
    called = {search_key(diet.english_name): key for key, diet in DIETS.items()} | {
        search_key(key): key for key in DIETS
    }
    called |= {search_key(diet.label): key for key, diet in DIETS.items()}
    words = [word.strip() for word in re.split(r"[,;/|]", text) if word.strip()]
    keys: list[str] = []
    rest: list[str] = []
    for word in words:
        if diet := called.get(search_key(word)) or find_plain_diet(word):
            keys.append(diet)
        else:
            rest.append(word)
    return list(dict.fromkeys(keys)), ", ".join(rest)
