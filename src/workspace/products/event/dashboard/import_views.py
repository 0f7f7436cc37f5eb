"""A list of sessions that people bring along, pasted or as a file: looked through first, then saved in one step, which
can be taken back as one."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from workspace.accounts.dispatch import perform
from workspace.dashboard.item_presenters import done
from workspace.dashboard.list_upload import pasted
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInput, Refusal, Unavailable
from workspace.lib.text import counted
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.layout import FRAME

HOW = [
    ("match", "Add, and change what is there already"),
    ("add", "Add all as new"),
    ("replace", "Replace the whole program"),
]
SHOWN = 100  # lines of a preview


@page("GET", "HEAD", "POST")
def bring(request: SignedInRequest, id: str) -> HttpResponse:
    context: dict[str, Any] = {"text": "", "how": HOW, "chosen": "match", "wrong": [], "problems": [], "note": ""}
    status = 200
    if request.method == "POST":
        chosen = request.POST.get("how", "match")
        context["chosen"] = chosen if chosen in dict(HOW) else "match"
        try:
            text, context["note"] = pasted(request, "csv")
            context["text"] = text
            if not text.strip():
                raise InvalidInput.at("csv", "Paste your list here, or choose a file")
            given = {"event_id": id, "csv": text, "match": chosen == "match", "replace": chosen == "replace"}
            saving = request.POST.get("step") == "save"
            answer = perform(part_tools.save_sessions, request.caller, {**given, "dry_run": not saving})
            if saving:
                return done(request, _told(answer.data), f"{FRAME.home}/{id}")
            context |= {"preview": answer.data, "items": answer.data["items"][:SHOWN]}
            context["told"] = _told(answer.data, "to add", "to change", "to remove")
            context["more"] = max(0, len(answer.data["items"]) - SHOWN)
        except InvalidInput as refusal:
            status = 422
            lines = context["text"].split("\n")
            for issue in refusal.issues:
                number = _line(issue.path)
                if number is None:
                    context["problems"].append(issue.message)
                else:
                    column = issue.path.split(".")[2] if issue.path.count(".") > 1 else ""
                    said = lines[number - 1] if number <= len(lines) else ""
                    context["wrong"].append({"number": number, "column": column, "why": issue.message, "text": said})
        except Unavailable:
            raise
        except Refusal as refusal:
            status = 422
            context["problems"].append(refusal.message)
    context["program"] = presenters.whole(request, id)
    return FRAME.page(request, id, "event/owner/import.html", context, status)


def _line(path: str) -> int | None:
    parts = path.split(".")
    return int(parts[1]) if len(parts) > 1 and parts[0] == "csv" and parts[1].isdigit() else None


def _told(data: Any, *acts: str) -> str:
    """What was done; by other words, what would be."""
    done_by = zip(("added", "changed", "removed"), acts or ("added", "changed", "removed"), strict=True)
    parts = [f"{counted(data[act], 'session')} {word}" for act, word in done_by if data[act]]
    clashes = f" {counted(len(data['clashes']), 'clash', 'clashes')} to look at." if data["clashes"] else ""
    return f"{', '.join(parts) or 'Nothing changes'}.{clashes}"
