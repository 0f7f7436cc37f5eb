"""A guest list that is brought along: looked through first, with what each column is taken for and whatever is not sure
asked back by its line; then saved in one step."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from workspace.accounts.dispatch import perform
from workspace.dashboard.import_columns import Choices, read_choices, show_columns
from workspace.dashboard.item_presenters import done
from workspace.dashboard.list_upload import pasted
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInput, Refusal
from workspace.lib.tabular.list_table import LEFT_OUT
from workspace.lib.text import counted
from workspace.products.seat.api import list_tools
from workspace.products.seat.dashboard.layout import FRAME
from workspace.products.seat.domain import guest_import
from workspace.products.seat.domain.queries import chart_of

SHOWN = 20  # guests of a list that are looked at first
LABELS = [
    ("name", "Name"), ("first", "First name"), ("last", "Last name"), ("party", "Party"), ("meal", "Meal"),
    ("diet", "Diet"), ("notes", "Notes"), ("table", "Table"), ("seat", "Seat number"), ("reply", "Reply"),
    ("email", "Email"), ("phone", "Phone"), ("companions", "Companions"), ("children", "Children"),
    ("count", "Number of people"), ("chair", "A child’s chair"), ("wheelchair", "Wheelchair"), ("tags", "Tags"),
    ("sort_name", "Sorted as"),
]  # fmt: skip
FIELDS = [*(name for name, _ in LABELS), LEFT_OUT]
NO_NAMES = "Which column holds the names of the guests? Choose it below. Nothing is saved yet."
ACCEPTED = {
    "split": "Make two guests of each couple in one line",
    "repeated": "Add those who are there twice all the same",
    "tables": "Make the tables that are missing",
}


@page("GET", "HEAD", "POST")
def bring(request: SignedInRequest, id: str) -> HttpResponse:
    chart = chart_of(request.account, id)
    context: dict[str, Any] = {"chart": chart, "text": "", "problems": [], "looked": None}
    status = 200
    if request.method == "POST":
        try:
            text, note = pasted(request, "csv")
            if not text.strip():
                raise InvalidInput.at("csv", "Paste your list, or choose a file")
            context |= {"text": text, "note": note}
            choices = read_choices(
                request, lambda said, headed: guest_import.open_list(text, said, headed=headed), FIELDS
            )
            accept = [one for one in request.POST.getlist("accept") if one in ACCEPTED]
            problem = _problem(choices, "save" in request.POST)
            context["list_columns"] = show_columns(choices, LABELS, problem)
            if problem:
                status = 422
            if problem != NO_NAMES:
                headed = ["heading"] if choices.headed else []
                given = {"event_id": id, "csv": text, "accept": [*accept, *headed], "columns": choices.columns}
                if "save" in request.POST and not problem:
                    found: Any = perform(list_tools.save_guests, request.caller, given).data
                    return done(request, _told(found), f"{FRAME.home}/{id}/guests")
                looked: Any = perform(list_tools.save_guests, request.caller, {**given, "dry_run": True}).data
                context |= {"looked": looked, "shown": looked["items"][:SHOWN], **_asked(looked, accept)}
        except Refusal as refusal:
            issues = getattr(refusal, "issues", ())
            context["problems"] = [_said(one) for one in issues[:20]] or [refusal.message]
            context["text"] = context["text"] or request.POST.get("csv", "")
            status = 422
    return FRAME.page(request, id, "seat/bring.html", context, status)


def _problem(choices: Choices, saving: bool) -> str:
    """What keeps a list from being saved, or even from being shown."""
    try:
        guest_import.check_names(choices.sheet)
    except InvalidInput:
        return NO_NAMES
    if saving and choices.undecided:
        return f"Say what these columns are, or leave them out: {', '.join(choices.undecided)}. Nothing is saved yet."
    return ""


def _asked(looked: Any, accept: list[str]) -> dict[str, Any]:
    """Questions by what settles them."""
    questions = looked["questions"]
    kinds = [
        {"key": key, "words": words, "count": sum(one["accept"] == key for one in questions), "ticked": key in accept}
        for key, words in ACCEPTED.items()
    ]
    return {"kinds": [one for one in kinds if one["count"] or one["ticked"]], "questions": questions[:50]}


def _said(issue: Any) -> str:
    _, _, line = issue.path.partition(".")
    return f"Line {line}: {issue.message}" if line.isdigit() else issue.message


def _told(found: Any) -> str:
    told = [f"{counted(found['added'], 'guest')} added" if found["added"] else ""]
    told += [f"{found['changed']} changed" if found["changed"] else ""]
    told += [f"{found['did_not_fit']} did not fit into your plan" if found["did_not_fit"] else ""]
    return f"{', '.join(filter(None, told)) or 'Nothing was new'}."
