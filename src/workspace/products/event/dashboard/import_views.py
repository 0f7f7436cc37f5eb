"""The import of sessions, pasted or from a file: a preview first, then a single save that can be undone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError, ToolError, UnavailableError
from workspace.lib.text import format_count
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT

IMPORT_MODES = [
    ("match", "Add, and change what is there already"),
    ("add", "Add all as new"),
    ("replace", "Replace the whole program"),
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
                raise InvalidInputError.at_path("csv", "Paste your list here, or choose a file")
            fields = {"event_id": id, "csv": text, "match": chosen == "match", "replace": chosen == "replace"}
            saving = request.POST.get("step") == "save"
            answer = execute_tool(part_tools.save_sessions, request.caller, {**fields, "dry_run": not saving})
            if saving:
                return redirect_with_message(request, _format_result(answer.data), f"{LAYOUT.home}/{id}")
            context |= {"preview": answer.data, "items": answer.data["items"][:MAX_PREVIEW_LINES]}
            context["summary"] = _format_result(answer.data, "to add", "to change", "to remove")
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


def _format_result(data: Any, *acts: str) -> str:
    """Describe what was changed. With other verbs, describe what would be changed."""
    done_by = zip(("added", "changed", "removed"), acts or ("added", "changed", "removed"), strict=True)
    parts = [f"{format_count(data[act], 'session')} {word}" for act, word in done_by if data[act]]
    clashes = f" {format_count(len(data['clashes']), 'clash', 'clashes')} to look at." if data["clashes"] else ""
    return f"{', '.join(parts) or 'Nothing changes'}.{clashes}"
