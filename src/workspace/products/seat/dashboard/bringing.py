"""A guest list that is brought along: looked through first, with what each column is taken for and whatever is not sure
asked back by its line; then saved in one step."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from workspace.accounts.door import perform
from workspace.dashboard.pasted import pasted
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import page
from workspace.products.seat import bringing, list_tools
from workspace.products.seat.dashboard.frame import FRAME
from workspace.products.seat.headings import KNOWN
from workspace.products.seat.rows import chart_of
from workspace.toolkit import table
from workspace.toolkit.errors import InvalidInput, Refusal
from workspace.toolkit.text import counted, fold

SHOWN = 20  # guests of a list that are looked at first
COLUMNS = [
    ("", "Leave it out"), ("name", "Name"), ("first", "First name"), ("last", "Last name"), ("party", "Party"),
    ("meal", "Meal"), ("diet", "Diet"), ("notes", "Notes"), ("table", "Table"), ("reply", "Reply"), ("email", "E-mail"),
    ("phone", "Phone"), ("companions", "Companions"), ("children", "Children"), ("chair", "A child’s chair"),
    ("tags", "Tags"), ("sort_name", "Sorted as"),
]  # fmt: skip
_HEADING = {"first": "first name", "last": "last name", "sort_name": "sort name"}
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
            text, columns = _mapped(request, text)
            context |= {"text": text, "note": note, "columns": columns, "choices": COLUMNS}
            accept = [one for one in request.POST.getlist("accept") if one in ACCEPTED]
            given = {"event_id": id, "csv": text, "accept": accept}
            looked: Any = perform(list_tools.save_guests, request.caller, {**given, "dry_run": True}).data
            if "save" in request.POST:
                found: Any = perform(list_tools.save_guests, request.caller, given).data
                return done(request, _told(found), f"{FRAME.home}/{id}/guests")
            context |= {
                "looked": looked,
                "shown": looked["items"][:SHOWN],
                "accepted": accept,
                **_asked(looked, accept),
            }
        except Refusal as refusal:
            issues = getattr(refusal, "issues", ())
            context["problems"] = [_said(one) for one in issues[:20]] or [refusal.message]
            context["text"] = context["text"] or request.POST.get("csv", "")
            status = 422
    return FRAME.page(request, id, "seat/bring.html", context, status)


def _mapped(request: SignedInRequest, text: str) -> tuple[str, list[dict[str, str]]]:
    """The list with its headings as its owner has said what they are, and what each is taken for."""
    if not text.strip() or not table.is_headed(text, KNOWN):
        return text, []
    lines = [cells for _, cells in table.grid(text, KNOWN, most=bringing.MOST + 1)]
    headings, columns = list(lines[0]), []
    for number, heading in enumerate(headings):
        taken = KNOWN.get(" ".join(fold(heading).replace("-", " ").replace("_", " ").split()), "")
        said = request.POST.get(f"column-{number}")
        if said is not None and said != taken and said in dict(COLUMNS):
            headings[number] = _HEADING.get(said, said) or f"column {number + 1}"
            taken = said
        sample = next((line[number] for line in lines[1:] if number < len(line) and line[number]), "")
        columns.append({"heading": lines[0][number], "taken": taken, "sample": sample[:60]})
    if headings == lines[0]:
        return text, columns
    return table.write(headings, lines[1:]), columns


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
