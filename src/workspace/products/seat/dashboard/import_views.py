"""Import of a guest list: a preview with the meaning of each column and questions by line, then a save in one step."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.import_columns import ColumnChoices, parse_column_choices, present_columns
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.lib.tabular.list_table import SKIP_COLUMN
from workspace.lib.text import format_count
from workspace.products.seat.api import bulk_tools
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain import guest_import
from workspace.products.seat.domain.queries import get_chart_with_counts

MAX_SHOWN_GUESTS = 20  # guests in the preview of a list
COLUMN_LABELS = [
    ("name", "Name"), ("first", "First name"), ("last", "Last name"), ("party", "Party"), ("meal", "Meal"),
    ("diet", "Diet"), ("notes", "Notes"), ("table", "Table"), ("seat", "Seat number"), ("reply", "Reply"),
    ("email", "Email"), ("phone", "Phone"), ("companions", "Companions"), ("children", "Children"),
    ("count", "Number of people"), ("chair", "A child’s chair"), ("wheelchair", "Wheelchair"), ("tags", "Tags"),
    ("sort_name", "Sorted as"),
]  # fmt: skip
COLUMN_FIELDS = [*(name for name, _ in COLUMN_LABELS), SKIP_COLUMN]
NO_NAMES_MESSAGE = "Which column holds the names of the guests? Choose it below. Nothing is saved yet."
ACCEPT_LABELS = {
    "split": "Make two guests of each couple in one line",
    "repeated": "Add those who are there twice all the same",
    "tables": "Make the tables that are missing",
}


@page("GET", "HEAD", "POST")
def import_guests(request: SignedInRequest, id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    context: dict[str, Any] = {"chart": chart, "text": "", "problems": [], "looked": None}
    status = 200
    if request.method == "POST":
        try:
            text, note = read_list_text(request, "csv")
            if not text.strip():
                raise InvalidInputError.at_path("csv", "Paste your list, or choose a file")
            context |= {"text": text, "note": note}
            choices = parse_column_choices(
                request, lambda data, headed: guest_import.open_list(text, data, has_heading=headed), COLUMN_FIELDS
            )
            accept = [value for value in request.POST.getlist("accept") if value in ACCEPT_LABELS]
            problem = _find_problem(choices, "save" in request.POST)
            context["list_columns"] = present_columns(choices, COLUMN_LABELS, problem)
            if problem:
                status = 422
            if problem != NO_NAMES_MESSAGE:
                headed = ["heading"] if choices.has_header else []
                fields = {"event_id": id, "csv": text, "accept": [*accept, *headed], "columns": choices.columns}
                if "save" in request.POST and not problem:
                    result: Any = execute_tool(bulk_tools.save_guests, request.caller, fields).data
                    return redirect_with_message(request, _format_result(result), f"{LAYOUT.home}/{id}/guests")
                looked: Any = execute_tool(bulk_tools.save_guests, request.caller, {**fields, "dry_run": True}).data
                context |= {
                    "looked": looked,
                    "preview_rows": looked["items"][:MAX_SHOWN_GUESTS],
                    **_questions_context(looked, accept),
                }
        except ToolError as refusal:
            issues = getattr(refusal, "issues", ())
            context["problems"] = [_format_issue(issue) for issue in issues[:20]] or [refusal.message]
            context["text"] = context["text"] or request.POST.get("csv", "")
            status = 422
    return LAYOUT.render_item_page(request, id, "seat/import.html", context, status)


def _find_problem(choices: ColumnChoices, is_saving: bool) -> str:
    """Return what prevents saving the list, or even showing it."""
    try:
        guest_import.check_names(choices.sheet)
    except InvalidInputError:
        return NO_NAMES_MESSAGE
    if is_saving and choices.undecided_columns:
        return (
            f"Say what these columns are, or leave them out: {', '.join(choices.undecided_columns)}. "
            "Nothing is saved yet."
        )
    return ""


def _questions_context(looked: Any, accept: list[str]) -> dict[str, Any]:
    """Return the questions grouped by the option that settles them."""
    questions = looked["questions"]
    kinds = [
        {
            "key": key,
            "words": words,
            "count": sum(question["accept"] == key for question in questions),
            "ticked": key in accept,
        }
        for key, words in ACCEPT_LABELS.items()
    ]
    return {"kinds": [kind for kind in kinds if kind["count"] or kind["ticked"]], "questions": questions[:50]}


def _format_issue(issue: Any) -> str:
    _, _, line = issue.path.partition(".")
    return f"Line {line}: {issue.message}" if line.isdigit() else issue.message


def _format_result(chart: Any) -> str:
    lines = [f"{format_count(chart['added'], 'guest')} added" if chart["added"] else ""]
    lines += [f"{chart['changed']} changed" if chart["changed"] else ""]
    lines += [f"{chart['did_not_fit']} did not fit into your plan" if chart["did_not_fit"] else ""]
    return f"{', '.join(filter(None, lines)) or 'Nothing was new'}."
