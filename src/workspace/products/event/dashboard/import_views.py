"""Importing sessions from pasted text or a file: first a preview, then a single save that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError, ToolError, UnavailableError
from workspace.products.event import messages
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT

IMPORT_MODES = [
    ("match", gettext_lazy("Add new sessions and update existing ones")),
    ("add", gettext_lazy("Add all sessions as new")),
    ("replace", gettext_lazy("Replace all sessions")),
]
MAX_PREVIEW_LINES = 100


@page("GET", "HEAD", "POST")
def import_sessions(request: SignedInRequest, id: str) -> HttpResponse:
    context: dict[str, Any] = {
        "text": "",
        "how": IMPORT_MODES,
        "chosen": "match",
        "wrong": [],
        "problems": [],
        "note": "",
    }
    status = 200
    if request.method == "POST":
        chosen = request.POST.get("how", "match")
        context["chosen"] = chosen if chosen in dict(IMPORT_MODES) else "match"
        try:
            text, context["note"] = read_list_text(request, "csv")
            context["text"] = text
            if not text.strip():
                raise InvalidInputError.at_path("csv", messages.LIST_EMPTY)
            fields = {"event_id": id, "csv": text, "match": chosen == "match", "replace": chosen == "replace"}
            saving = request.POST.get("step") == "save"
            answer = execute_tool(part_tools.save_sessions, request.caller, {**fields, "dry_run": not saving})
            if saving:
                return redirect_with_message(request, _format_result(answer.data), f"{LAYOUT.home}/{id}")
            context |= {"preview": answer.data, "items": answer.data["items"][:MAX_PREVIEW_LINES]}
            context["summary"] = _format_preview(answer.data)
            context["more"] = max(0, len(answer.data["items"]) - MAX_PREVIEW_LINES)
        except InvalidInputError as refusal:
            status = 422
            lines = context["text"].split("\n")
            for issue in refusal.issues:
                number = _line_number(issue.path)
                if number is None:
                    context["problems"].append(issue.message)
                else:
                    column = issue.path.split(".")[2] if issue.path.count(".") > 1 else ""
                    said = lines[number - 1] if number <= len(lines) else ""
                    context["wrong"].append({"number": number, "column": column, "why": issue.message, "text": said})
        except UnavailableError:
            raise
        except ToolError as refusal:
            status = 422
            context["problems"].append(refusal.message)
    context["program"] = presenters.get_event(request, id)
    return LAYOUT.render_item_page(request, id, "event/owner/import.html", context, status)


def _line_number(path: str) -> int | None:
    parts = path.split(".")
    return int(parts[1]) if len(parts) > 1 and parts[0] == "csv" and parts[1].isdigit() else None


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
