"""Tools for the parts of a program: sessions, speakers, and blocks in addition to the sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.event import messages
from workspace.products.event.api.arguments import (
    Csv,
    EventId,
    IdOrder,
    RemovedIds,
    SavedBlocks,
    SavedSessions,
    SavedSpeakers,
    SessionOrder,
)
from workspace.products.event.api.response_types import BlockData, ConflictData, SessionData, SpeakerData
from workspace.products.event.api.serializers import (
    block_data,
    list_conflict_data,
    list_session_data,
    session_data,
    sessions_without_room,
    speaker_data,
)
from workspace.products.event.api.text import format_block, format_conflicts, format_session, format_speaker
from workspace.products.event.api.tools import box
from workspace.products.event.domain import emails, session_import, speakers_and_blocks
from workspace.products.event.domain.program import Program
from workspace.products.event.domain.queries import get_event
from workspace.products.event.domain.sessions import SaveResult
from workspace.products.event.domain.sessions import save_sessions as write_sessions
from workspace.products.event.models import Block, Speaker
from workspace.products.event.rules.limits import MAX_BLOCKS, MAX_SPEAKERS
from workspace.products.event.rules.session_fields import (
    DayText,
    Description,
    EndTime,
    Location,
    SessionTitle,
    SpeakerIds,
    StartTime,
    TimeLabel,
)
from workspace.publishing.list_columns import ListColumnFields
from workspace.storage import journal
from workspace.tools.answer import Answer, format_bullets


class AddedSession(TypedDict):
    """An added session. `clashes` are the conflicts of this session."""

    session: SessionData
    clashes: list[ConflictData]
    notes: list[str]


@box.tool(
    "svc_event_add_session",
    title="Add a session to a program",
    about="Add a session (talk, workshop, break) to an event schedule, sorted by time. If the program is published, "
    "guests see it immediately. Room and speaker conflicts are reported but not rejected. For several "
    "sessions, use svc_event_save_sessions.",
    short="Add one session to a program.",
    synonyms="talk, keynote, workshop, break, lunch, panel, slot, vortrag hinzufügen, pause, sitzung, añadir "
    "sesión, charla, ponencia, taller, descanso",
)
def add_session(
    account: Account,
    event_id: EventId,
    title: SessionTitle,
    time_label: TimeLabel | None = None,
    start_time: StartTime | None = None,
    end_time: EndTime | None = None,
    day: DayText | None = None,
    description: Annotated[Description, Field(description="Description of the session.")] | None = None,
    location: Location | None = None,
    speaker_ids: SpeakerIds | None = None,
) -> Answer[AddedSession]:
    event = get_event(account, event_id)
    fields = {
        "title": title, "time_label": time_label, "start_time": start_time, "end_time": end_time, "day": day,
        "description": description, "location": location, "speaker_ids": speaker_ids,
    }  # fmt: skip
    entry = {name: value for name, value in fields.items() if value is not None}
    written = write_sessions(Program.load(event), [("", entry)])
    event.mark_changed()
    program = Program.load(event)
    [id] = written.saved
    row = session_data(program, program.sessions_by_id[id])
    clashes = [clash for clash in list_conflict_data(program) if id in (clash["first_id"], clash["second_id"])]
    data: AddedSession = {"session": row, "clashes": clashes, "notes": written.notes}
    lines = [f"Added to {escape_markdown(event.title)}: {format_session(row)}", *_format_notes(written.notes)]
    return Answer(data, "\n".join([*lines, *format_conflicts(clashes)]))


class SessionSaveResult(TypedDict):
    """The result of saving sessions.

    `items` are the saved sessions in the order of the entries. `clashes` are those of the whole program.
    """

    added: int
    changed: int
    removed: int
    items: list[SessionData]
    clashes: list[ConflictData]
    without_room: int
    notes: list[str]


@box.tool(
    "svc_event_save_sessions",
    title="Add, update, move and import sessions",
    about="Add, update, move, remove and reorder sessions, sorted by time. One invalid entry rejects all. If you "
    "change only start_time, the end moves with it. csv imports a table and creates days from its dates. Every "
    "line is checked first. To preview an import, use dry_run.",
    short="Add, update, move, remove or import sessions.",
    synonyms="reschedule talk, change room, move session, swap sessions, delay, import schedule, csv, excel, "
    "vortrag verschieben, raum ändern, programm importieren, mover sesión, cambiar de sala, retrasar, importar "
    "agenda",
    idempotent=True,
)
def save_sessions(
    account: Account,
    event_id: EventId,
    items: SavedSessions | None = None,
    csv: Csv | None = None,
    columns: ListColumnFields | None = None,
    has_heading: Annotated[
        bool, Field(description="With csv: whether the first line names the columns. Detected by default.")
    ]
    | None = None,
    match: Annotated[
        bool,
        Field(
            description="With csv: whether to update existing sessions. Sessions are matched by title, day and start."
        ),
    ]
    | None = None,
    replace: Annotated[
        bool,
        Field(
            description="With csv: whether to remove sessions missing from it. Also updates existing sessions, as "
            "match does."
        ),
    ]
    | None = None,
    remove: RemovedIds | None = None,
    order: SessionOrder | None = None,
) -> Answer[SessionSaveResult]:
    if not items and not remove and order is None and csv is None:
        raise InvalidInputError.at_path("items", messages.SESSIONS_NEEDED)
    if csv is not None and (items or remove or order is not None):
        raise InvalidInputError.at_path("csv", messages.CSV_ALONE)
    event = get_event(account, event_id)
    program = Program.load(event)
    if csv is not None:
        before = program.clashes
        entries, removed, notes = session_import.parse_table(
            program, csv, columns, has_heading=bool(has_heading), match=bool(match), replace=bool(replace)
        )
        written = write_sessions(program, entries, removed, adds_days=True)
        written.notes += notes
        saved = Program.load(event)
        emails.notify_import_conflicts(saved, before)
    else:
        entries = [(f"items.{number}.", dict(item)) for number, item in enumerate(items or [])]
        written = write_sessions(program, entries, remove or [], order)
        saved = Program.load(event)
    if journal.has_changed():
        event.mark_changed()
    return _sessions_answer(saved, written)


def _sessions_answer(program: Program, written: SaveResult) -> Answer[SessionSaveResult]:
    clashes = list_conflict_data(program)
    data: SessionSaveResult = {
        "added": len(written.added),
        "changed": len(written.changed),
        "removed": len(written.removed),
        "items": list_session_data(program, written.saved),
        "clashes": clashes,
        "without_room": len(sessions_without_room(program)),
        "notes": written.notes,
    }
    return Answer(data, lambda: _format_result(data, [str(session) for session in written.removed]))


def _format_result(data: SessionSaveResult, removed: Sequence[str]) -> str:
    lines = [_format_counts(data["added"], data["changed"], data["removed"], "session")]
    lines += format_bullets(data["items"], format_session)
    lines += [f"- removed {escape_markdown(title)}" for title in removed]
    lines += _format_notes(data["notes"])
    if data["without_room"]:
        lines.append(f"{format_count(data['without_room'], 'timed session')} without a room")
    return "\n".join([*lines, *format_conflicts(data["clashes"])])


def _format_notes(notes: Sequence[str]) -> list[str]:
    return ["", *format_bullets([escape_markdown(note) for note in notes], str)] if notes else []


def _format_counts(added: int, changed: int, removed: int, noun: str) -> str:
    counts = {"added": added, "updated": changed, "removed": removed}
    text = ", ".join(f"{act} {format_count(count, noun)}" for act, count in counts.items() if count)
    return text[:1].upper() + text[1:] if text else "Order saved" if journal.has_changed() else "No changes"


class SpeakerSaveResult(TypedDict):
    added: int
    changed: int
    removed: int
    items: list[SpeakerData]


@box.tool(
    "svc_event_save_speakers",
    title="Add, update and reorder speakers",
    about="Add, update, remove and reorder a program's speakers. One invalid entry rejects the whole list. Entries "
    "without id are added at the end. Removed speakers are also removed from their sessions; svc_undo restores "
    "both.",
    short="Add, update, remove or reorder speakers.",
    synonyms="presenter, moderator, bio, speaker photo, referenten, sprecher, rednerin, ponentes, oradores, "
    "conferenciantes, change speaker, new speaker",
    idempotent=True,
)
def save_speakers(
    account: Account,
    event_id: EventId,
    items: SavedSpeakers | None = None,
    remove: RemovedIds | None = None,
    order: IdOrder | None = None,
) -> Answer[SpeakerSaveResult]:
    _check_not_empty(items, remove, order)
    event = get_event(account, event_id)
    written = speakers_and_blocks.save_parts(event, Speaker, items or [], remove or [], order, max_count=MAX_SPEAKERS)
    if journal.has_changed():
        event.mark_changed()
    program = Program.load(event)
    rows = [
        speaker_data(speaker, [session.pk for session in program.sessions_for(speaker)]) for speaker in written.saved
    ]
    data: SpeakerSaveResult = {
        "added": written.added, "changed": written.changed, "removed": len(written.removed), "items": rows,
    }  # fmt: skip
    lines = [
        _format_counts(written.added, written.changed, len(written.removed), "speaker"),
        *format_bullets(rows, format_speaker),
    ]
    for speaker in written.removed:
        count = speaker.links_to_sessions.filter(session__binned_at=None).count()
        lines.append(f"- removed {escape_markdown(speaker.name)} from {format_count(count, 'session')}")
    return Answer(data, "\n".join(lines))


class BlockSaveResult(TypedDict):
    added: int
    changed: int
    removed: int
    items: list[BlockData]


@box.tool(
    "svc_event_save_blocks",
    title="Save sponsors, ads and info pages",
    about="Add, update, remove and reorder sponsors by tier, ads, and info pages such as Wi-Fi and parking. One "
    "invalid entry rejects the whole list.",
    short="Add, update, remove or reorder sponsors, ads and info pages.",
    synonyms="sponsor logo, gold sponsor, advertisement, banner, wifi, parking, directions, faq, sponsoren, "
    "werbung, anzeigen, parkplatz, patrocinadores, anuncios, aparcamiento, información",
    idempotent=True,
)
def save_blocks(
    account: Account,
    event_id: EventId,
    items: SavedBlocks | None = None,
    remove: RemovedIds | None = None,
    order: IdOrder | None = None,
) -> Answer[BlockSaveResult]:
    _check_not_empty(items, remove, order)
    event = get_event(account, event_id)
    written = speakers_and_blocks.save_parts(event, Block, items or [], remove or [], order, max_count=MAX_BLOCKS)
    if journal.has_changed():
        event.mark_changed()
    rows = [block_data(block, event.zone) for block in written.saved]
    data: BlockSaveResult = {
        "added": written.added, "changed": written.changed, "removed": len(written.removed), "items": rows,
    }  # fmt: skip
    lines = [
        _format_counts(written.added, written.changed, len(written.removed), "block"),
        *format_bullets(rows, format_block),
    ]
    lines += [f"- removed {escape_markdown(str(block))}" for block in written.removed]
    return Answer(data, "\n".join(lines))


def _check_not_empty(items: Any, remove: Any, order: Any) -> None:
    if not items and not remove and order is None:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
