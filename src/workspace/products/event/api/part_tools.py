"""What stands on a program as tools: sessions, speakers, and blocks beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.lib.text import counted, escape_markdown
from workspace.products.event.api.arguments import (
    Csv,
    EventId,
    Order,
    Remove,
    SavedBlocks,
    SavedSessions,
    SavedSpeakers,
    SessionOrder,
)
from workspace.products.event.api.response_types import BlockRow, ClashRow, SessionRow, SpeakerRow
from workspace.products.event.api.serializers import (
    block_row,
    clash_rows,
    roomless,
    session_row,
    session_rows,
    speaker_row,
)
from workspace.products.event.api.text import block_line, clash_lines, session_line, speaker_line
from workspace.products.event.api.tools import box
from workspace.products.event.domain import emails, parts, session_import
from workspace.products.event.domain.program import Program
from workspace.products.event.domain.queries import NO_BLOCK, NO_SPEAKER, event_of
from workspace.products.event.domain.sessions import Written
from workspace.products.event.domain.sessions import save as write_sessions
from workspace.products.event.models import Block, Speaker
from workspace.products.event.rules.limits import MOST_BLOCKS, MOST_SPEAKERS
from workspace.products.event.rules.types import (
    DayText,
    Description,
    EndTime,
    Location,
    SessionTitle,
    SpeakerIds,
    StartTime,
    TimeLabel,
)
from workspace.storage import journal
from workspace.tools.answer import Answer, bullets


class Added(TypedDict):
    """`clashes` are those of this session."""

    session: SessionRow
    clashes: list[ClashRow]
    notes: list[str]


@box.tool("svc_event_add_session", title="Add a session")
def add_session(
    account: Account,
    event_id: EventId,
    title: SessionTitle,
    time_label: TimeLabel | None = None,
    start_time: StartTime | None = None,
    end_time: EndTime | None = None,
    day: DayText | None = None,
    description: Description | None = None,
    location: Location | None = None,
    speaker_ids: SpeakerIds | None = None,
) -> Answer[Added]:
    """Add one session to a program; on a published one guests see it at once. It goes where its time says. Clashes of
    room or speaker are told, never refused. svc_event_save_sessions adds many, and changes."""
    event = event_of(account, event_id)
    given = {
        "title": title, "time_label": time_label, "start_time": start_time, "end_time": end_time, "day": day,
        "description": description, "location": location, "speaker_ids": speaker_ids,
    }  # fmt: skip
    entry = {name: value for name, value in given.items() if value is not None}
    written = write_sessions(Program.of(event), [("", entry)])
    event.touched()
    program = Program.of(event)
    [id] = written.saved
    row = session_row(program, program.session[id])
    clashes = [clash for clash in clash_rows(program) if id in (clash["first_id"], clash["second_id"])]
    data: Added = {"session": row, "clashes": clashes, "notes": written.notes}
    lines = [f"Added to {escape_markdown(event.title)}: {session_line(row)}", *_noted(written.notes)]
    return Answer(data, "\n".join([*lines, *clash_lines(clashes)]))


class SavedSessionRows(TypedDict):
    """`items` are those that were saved, in their order; clashes are the whole program's."""

    added: int
    changed: int
    removed: int
    items: list[SessionRow]
    clashes: list[ClashRow]
    without_room: int
    notes: list[str]


@box.tool("svc_event_save_sessions", title="Save sessions", idempotent=True)
def save_sessions(
    account: Account,
    event_id: EventId,
    items: SavedSessions | None = None,
    csv: Csv | None = None,
    match: Annotated[bool, Field(description="Of csv: a line with title, day and start of a session changes it")]
    | None = None,
    replace: Annotated[bool, Field(description="Of csv: as match, and what is not on it is removed")] | None = None,
    remove: Remove | None = None,
    order: SessionOrder | None = None,
) -> Answer[SavedSessionRows]:
    """Add, change, move, remove and order sessions, all at once or not at all. A session goes where its time says; a
    start_time alone moves the end along. Or a CSV table: every line is checked first, dates become days; dry_run
    previews."""
    if not items and not remove and order is None and csv is None:
        raise InvalidInput.at("items", "Give sessions to save, a csv, ids to remove, or an order")
    if csv is not None and (items or remove or order is not None):
        raise InvalidInput.at("csv", "Give this alone: items, remove and order in another call")
    event = event_of(account, event_id)
    program = Program.of(event)
    if csv is not None:
        before = program.clashes
        entries, gone, note = session_import.read(program, csv, match=bool(match), replace=bool(replace))
        written = write_sessions(program, entries, gone, grows=True)
        written.notes += [note] if note else []
        saved = Program.of(event)
        emails.imported(saved, before)
    else:
        entries = [(f"items.{number}.", dict(one)) for number, one in enumerate(items or [])]
        written = write_sessions(program, entries, remove or [], order)
        saved = Program.of(event)
    if journal.has_changed():
        event.touched()
    return _told(saved, written)


def _told(program: Program, written: Written) -> Answer[SavedSessionRows]:
    clashes = clash_rows(program)
    data: SavedSessionRows = {
        "added": len(written.added),
        "changed": len(written.changed),
        "removed": len(written.removed),
        "items": session_rows(program, written.saved),
        "clashes": clashes,
        "without_room": len(roomless(program)),
        "notes": written.notes,
    }
    return Answer(data, lambda: _in_words(data, [str(one) for one in written.removed]))


def _in_words(data: SavedSessionRows, gone: Sequence[str]) -> str:
    lines = [_head(data["added"], data["changed"], data["removed"], "session")]
    lines += bullets(data["items"], session_line)
    lines += [f"- removed {escape_markdown(title)}" for title in gone]
    lines += _noted(data["notes"])
    if data["without_room"]:
        lines.append(f"{counted(data['without_room'], 'timed session')} without a room")
    return "\n".join([*lines, *clash_lines(data["clashes"])])


def _noted(notes: Sequence[str]) -> list[str]:
    return ["", *bullets([escape_markdown(note) for note in notes], str)] if notes else []


def _head(added: int, changed: int, removed: int, noun: str) -> str:
    counts = {"added": added, "changed": changed, "removed": removed}
    said = ", ".join(f"{act} {counted(count, noun)}" for act, count in counts.items() if count)
    return said[:1].upper() + said[1:] if said else "The order is new" if journal.has_changed() else "Nothing changed"


class SavedSpeakerRows(TypedDict):
    added: int
    changed: int
    removed: int
    items: list[SpeakerRow]


@box.tool("svc_event_save_speakers", title="Save speakers", idempotent=True)
def save_speakers(
    account: Account,
    event_id: EventId,
    items: SavedSpeakers | None = None,
    remove: Remove | None = None,
    order: Order | None = None,
) -> Answer[SavedSpeakerRows]:
    """Add, change, remove and order a program's speakers, all at once or not at all: entries without an id are added at
    the end. Whoever is removed is off all sessions; svc_undo brings them back to these."""
    _check_asked(items, remove, order)
    event = event_of(account, event_id)
    written = parts.save(event, Speaker, items or [], remove or [], order, most=MOST_SPEAKERS, missing=NO_SPEAKER)
    if journal.has_changed():
        event.touched()
    program = Program.of(event)
    rows = [speaker_row(one, [session.pk for session in program.sessions_of(one)]) for one in written.saved]
    data: SavedSpeakerRows = {
        "added": written.added, "changed": written.changed, "removed": len(written.removed), "items": rows,
    }  # fmt: skip
    lines = [_head(written.added, written.changed, len(written.removed), "speaker"), *bullets(rows, speaker_line)]
    for one in written.removed:
        count = one.links_to_sessions.filter(session__binned_at=None).count()
        lines.append(f"- removed {escape_markdown(one.name)}, who spoke at {counted(count, 'session')}")
    return Answer(data, "\n".join(lines))


class SavedBlockRows(TypedDict):
    added: int
    changed: int
    removed: int
    items: list[BlockRow]


@box.tool("svc_event_save_blocks", title="Save sponsors, ads and info pages", idempotent=True)
def save_blocks(
    account: Account,
    event_id: EventId,
    items: SavedBlocks | None = None,
    remove: Remove | None = None,
    order: Order | None = None,
) -> Answer[SavedBlockRows]:
    """Add, change, remove and order what stands beside the sessions, all at once or not at all: sponsors by tier, ads,
    pages of information such as Wi-Fi and parking."""
    _check_asked(items, remove, order)
    event = event_of(account, event_id)
    written = parts.save(event, Block, items or [], remove or [], order, most=MOST_BLOCKS, missing=NO_BLOCK)
    if journal.has_changed():
        event.touched()
    rows = [block_row(one, event.zone) for one in written.saved]
    data: SavedBlockRows = {
        "added": written.added, "changed": written.changed, "removed": len(written.removed), "items": rows,
    }  # fmt: skip
    lines = [_head(written.added, written.changed, len(written.removed), "part"), *bullets(rows, block_line)]
    lines += [f"- removed {escape_markdown(str(one))}" for one in written.removed]
    return Answer(data, "\n".join(lines))


def _check_asked(items: Any, remove: Any, order: Any) -> None:
    if not items and not remove and order is None:
        raise InvalidInput.at("items", "Give what to save, to remove or to order")
