"""Importing sessions from pasted text or a file: first a preview, then a single save that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_import import ListImport, ListImportPage
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT
from workspace.products.event.domain import session_import
from workspace.products.event.rules.session_list_headings import SESSION_LIST

IMPORT_MODES = [
    ("match", gettext_lazy("Add new sessions and update existing ones")),
    ("add", gettext_lazy("Add all sessions as new")),
    ("replace", gettext_lazy("Replace all sessions")),
]
SESSION_IMPORT = ListImport(
    session_import.LIST_NAME,
    SESSION_LIST,
    [
        ("day", owner_gettext_lazy("Day")),
        ("start", owner_gettext_lazy("Start")),
        ("end", owner_gettext_lazy("End")),
        ("title", owner_gettext_lazy("Title")),
        ("location", owner_gettext_lazy("Room")),
        ("speakers", owner_gettext_lazy("Speakers")),
        ("description", owner_gettext_lazy("Description")),
        ("track", owner_gettext_lazy("Track")),
        ("kind", owner_gettext_lazy("Type")),
        ("time_label", owner_gettext_lazy("Time as text")),
        ("id", owner_gettext_lazy("Session ID")),
    ],
    frozenset({"title"}),
    owner_gettext_lazy("Choose the column with the titles of the sessions."),
    {"start_time": "start", "end_time": "end"},
)


@page("GET", "HEAD", "POST")
def import_sessions(request: SignedInRequest, id: str) -> HttpResponse:
    list_page = ListImportPage(request, SESSION_IMPORT)
    posted = request.POST.get("how", "match")
    chosen = posted if posted in dict(IMPORT_MODES) else "match"
    fields = {"event_id": id, "csv": list_page.text, "columns": list_page.columns, "has_heading": list_page.is_headed}
    list_page.run(part_tools.save_sessions, {**fields, "match": chosen == "match", "replace": chosen == "replace"})
    if list_page.is_saved:
        return redirect_with_message(request, _format_result(list_page.answer), f"{LAYOUT.home}/{id}")
    context = {"program": presenters.get_event(request, id), "list_import": _present_import(list_page, chosen)}
    return LAYOUT.render_item_page(request, id, "event/owner/import.html", context, list_page.status)


def _present_import(list_page: ListImportPage, chosen: str) -> dict[str, Any]:
    data: Any = list_page.answer
    count = data["added"] + data["changed"] if data else 0
    button = ngettext("Import %(count)s session", "Import %(count)s sessions", count) % {"count": f"{count:,}"}
    return list_page.present(
        button=button if count else gettext("Import sessions"),
        preview=data,
        summary=_format_preview(data) if data else "",
        chosen=chosen,
        modes=IMPORT_MODES,
        result_template="event/owner/import_result.html",
        options_template="event/owner/import_options.html",
        placeholder=gettext(
            "day\tstart\tend\ttitle\tlocation\tspeakers\n"
            "2027-05-15\t09:00\t09:30\tOpening\tGreat hall\tAda King; Bo Lind"
        ),
        help=gettext(
            "Paste rows from a spreadsheet. Columns: day, start, end, title, location, speakers, description, "
            "time_label, track, kind. The first line can name them in another order. Separate speakers with "
            "semicolons. New dates are added as days."
        ),
    )


def _format_preview(data: Any) -> str:
    """Describe the changes that an import would make."""
    sentences = [
        ngettext("%(count)s session to add.", "%(count)s sessions to add.", data["added"]),
        ngettext("%(count)s session to update.", "%(count)s sessions to update.", data["changed"]),
        ngettext("%(count)s session to remove.", "%(count)s sessions to remove.", data["removed"]),
    ]
    return _fill_counts(sentences, data)


def _format_result(data: Any) -> str:
    """Describe the changes that an import made."""
    sentences = [
        ngettext("%(count)s session added.", "%(count)s sessions added.", data["added"]),
        ngettext("%(count)s session updated.", "%(count)s sessions updated.", data["changed"]),
        ngettext("%(count)s session removed.", "%(count)s sessions removed.", data["removed"]),
    ]
    return _fill_counts(sentences, data)


def _fill_counts(sentences: Sequence[str], data: Any) -> str:
    """Join sentences about added, changed and removed sessions, and about conflicts.

    Leave out those with a count of zero.
    """
    counts = (data["added"], data["changed"], data["removed"])
    shown = [text % {"count": count} for text, count in zip(sentences, counts, strict=True) if count]
    if clashes := len(data["clashes"]):
        shown.append(
            ngettext("%(count)s schedule conflict.", "%(count)s schedule conflicts.", clashes) % {"count": clashes}
        )
    return " ".join(shown) or gettext("No changes.")
