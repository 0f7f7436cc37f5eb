"""Tools for a program's statistics and for its export as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import ValueCount, compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib.tabular import csv_table, workbook_writer
from workspace.lib.text import escape_markdown, format_count
from workspace.products.event.api.arguments import EventId
from workspace.products.event.api.tools import box
from workspace.products.event.domain.calendar_feed import build_calendar
from workspace.products.event.domain.program import Program
from workspace.products.event.domain.queries import get_event
from workspace.products.event.models import KIND, SESSION_VIEW, STAR, Event, Speaker
from workspace.products.event.rules.session_list_headings import COLUMN_ORDER
from workspace.publishing.export_answers import Export, export_file, export_text
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.shared_item_arguments import Days, limit_days
from workspace.tools.answer import Answer, format_bullets, format_fact_list

_COLUMN_WIDTHS = {"title": 40, "description": 48, "bio": 48, "start": 8, "end": 8, "day": 12, "id": 30}
SPEAKER_COLUMNS = ("name", "role", "organization", "bio", "links", "sessions", "id")


class SessionStats(TypedDict):
    """How often guests have starred a session and opened its page. Repeated views are counted."""

    session_id: str
    title: str
    stars: int
    opened: int


class EventStats(VisitStats):
    id: str
    title: str
    stars_in_days: int
    by_session: Annotated[list[SessionStats], Field(description="Sessions starred in the period, most starred first.")]
    by_day: list[DayStats]


@box.tool(
    "svc_event_stats",
    title="Get program views",
    about="Get the views of a program: in total, in the last 7 days, and by day, hour, device, city and country. "
    "Also get how often each session was starred. Bots are counted separately. unique counts each visitor once "
    "a day.",
    short="Get views and starred sessions of a program.",
    synonyms="analytics, statistics, most popular session, favorites, visits, beliebteste vorträge, aufrufe, "
    "statistik, sesiones favoritas, visitas, estadísticas",
    reads=True,
)
def stats(account: Account, event_id: EventId, days: Days | None = None) -> Answer[EventStats]:
    event = get_event(account, event_id)
    history = account.limits(KIND).history_days
    statistics, starred, opened = (
        compute_statistics(event.publication_id, kind, days=limit_days(days, history), zone=account.zone)
        for kind in (VIEW_EVENT, STAR, SESSION_VIEW)
    )
    data: EventStats = {
        **add_previous_counts(visit_stats(statistics, account), history, views=statistics.before),
        "id": event.pk,
        "title": event.title,
        "stars_in_days": starred.total_in_window,
        "by_session": _count_by_session(event, starred.by_part, opened.by_part),
        "by_day": list_day_stats(statistics),
    }
    lines = format_bullets(data["by_session"], _format_session)
    text = format_fact_list(
        f"Views of {escape_markdown(event.title)}", {**format_stats(data), "stars": data["stars_in_days"]}
    )
    return Answer(data, "\n\n".join([text, *(["\n".join(["By session:", *lines])] if lines else [])]))


def _count_by_session(event: Event, stars: list[ValueCount], opened: list[ValueCount]) -> list[SessionStats]:
    """Return the statistics of existing sessions that have any stars or views, most starred first."""
    starred, seen = ({count.value: count.count for count in counts} for counts in (stars, opened))
    titles = event.sessions.filter(pk__in={*starred, *seen}).order_by("pk").values_list("pk", "title")
    rows: list[SessionStats] = [
        {"session_id": id, "title": title, "stars": starred.get(id, 0), "opened": seen.get(id, 0)}
        for id, title in titles
    ]
    return sorted(rows, key=lambda row: (-row["stars"], -row["opened"]))


def _format_session(row: SessionStats) -> str:
    counts = f"{format_count(row['stars'], 'star')}, opened {format_count(row['opened'], 'time')}"
    return f"{escape_markdown(row['title'])} ({row['session_id']}): {counts}"


@box.tool(
    "svc_event_export",
    title="Export a program",
    about="Export all sessions as CSV or XLSX, all speakers, or a calendar. You can import the sessions again with "
    "svc_event_save_sessions or in the dashboard. Cells that look like formulas are prefixed with an apostrophe.",
    short="Export sessions or speakers as CSV or XLSX, or a calendar.",
    synonyms="download schedule, ics, spreadsheet, excel, programm exportieren, kalenderdatei, exportar programa, "
    "descargar agenda, calendario",
    reads=True,
)
def export(
    account: Account,
    event_id: EventId,
    kind: Annotated[
        Literal["sessions", "speakers", "calendar"],
        Field(description="Data to export: sessions, speakers, or a calendar (.ics). Defaults to sessions."),
    ] = "sessions",
    format: Annotated[Literal["csv", "xlsx"], Field(description="File format. Defaults to csv.")] = "csv",
) -> Answer[Export]:
    event = get_event(account, event_id)
    program = Program.load(event)
    if kind == "calendar":
        timed = [session for session in program.sessions if session.starts_at is not None]
        text, name = build_calendar(program, timed, event.title).decode(), f"program-{event.slug}.ics"
        return export_text("event", "session", name, text, rows=len(timed), kind=kind, event_id=event.pk)
    heading, rows = (
        (SPEAKER_COLUMNS, _speaker_rows(program)) if kind == "speakers" else (COLUMN_ORDER, _session_rows(program))
    )
    name = f"{'speakers' if kind == 'speakers' else 'program'}-{event.slug}.{format}"
    noun = kind.removesuffix("s")
    if format == "xlsx":
        columns = [(value, _COLUMN_WIDTHS.get(value, 18)) for value in heading]
        content = workbook_writer.build_workbook(kind.capitalize(), columns, rows)
        return export_file("event", noun, name, content, rows=len(rows), kind=kind, format=format, event_id=event.pk)
    return export_text(
        "event", noun, name, csv_table.write(heading, rows), rows=len(rows), kind=kind, event_id=event.pk
    )


def _session_rows(program: Program) -> list[list[str]]:
    rows = []
    for session in program.sessions:
        values = {
            "day": session.day.date.isoformat(),
            "location": session.room.name if session.room else "",
            "speakers": _join_names(program.speakers_for(session)),
        }
        rows.append([values[name] if name in values else getattr(session, name) for name in COLUMN_ORDER])
    return rows


def _join_names(speakers: Sequence[Speaker]) -> str:
    """Join names in the format of an import.

    A single name that contains a comma gets a final semicolon, so that it is not split.
    """
    names = "; ".join(speaker.name for speaker in speakers)
    return f"{names};" if len(speakers) == 1 and "," in names else names


def _speaker_rows(program: Program) -> list[list[str]]:
    titles: dict[str, list[str]] = {}
    for session in program.sessions:
        for id in program.speaker_ids.get(session.pk, ()):
            titles.setdefault(id, []).append(session.title)
    rows = []
    for speaker in program.speakers:
        values = {
            "links": " ".join(link["url"] for link in speaker.links),
            "sessions": "; ".join(titles.get(speaker.pk, [])),
        }
        rows.append([values[name] if name in values else getattr(speaker, name) for name in SPEAKER_COLUMNS])
    return rows
