"""Importing a guest list: a preview with the meaning of each column and questions by line, then a save in one step."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.import_columns import ColumnChoices, parse_column_choices, present_columns
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.lib.tabular.list_table import SKIP_COLUMN
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.seat import messages
from workspace.products.seat.api import bulk_tools
from workspace.products.seat.dashboard.guest_views import REPLY_CHOICES, format_saved_guests
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain import guest_import
from workspace.products.seat.domain.queries import get_chart_with_counts

MAX_SHOWN_GUESTS = 20  # guests in the preview of a list
COLUMN_LABELS = [
    ("name", owner_gettext_lazy("Name")),
    ("first", owner_gettext_lazy("First name")),
    ("last", owner_gettext_lazy("Last name")),
    ("party", owner_gettext_lazy("Party")),
    ("meal", owner_gettext_lazy("Meal")),
    ("diet", owner_gettext_lazy("Diet")),
    ("notes", owner_gettext_lazy("Notes")),
    ("table", owner_gettext_lazy("Table")),
    ("seat", owner_gettext_lazy("Chair number")),
    ("reply", owner_gettext_lazy("Reply")),
    ("email", owner_gettext_lazy("Email")),
    ("phone", owner_gettext_lazy("Phone")),
    ("companions", owner_gettext_lazy("Companions")),
    ("children", owner_gettext_lazy("Children")),
    ("count", owner_gettext_lazy("Number of people")),
    ("chair", owner_gettext_lazy("Child’s chair")),
    ("wheelchair", owner_gettext_lazy("Wheelchair")),
    ("tags", owner_gettext_lazy("Tags")),
    ("sort_name", owner_gettext_lazy("Sort name")),
]
COLUMN_FIELDS = [*(name for name, _ in COLUMN_LABELS), SKIP_COLUMN]
NO_NAMES_MESSAGE = owner_gettext_lazy("Choose the column with the names of the guests. Nothing has been imported yet.")
ACCEPT_LABELS = {
    "split": owner_gettext_lazy("Split couples into two guests"),
    "repeated": owner_gettext_lazy("Add guests who appear twice"),
    "tables": owner_gettext_lazy("Create missing tables"),
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
                raise InvalidInputError.at_path("csv", messages.LIST_NEEDED)
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
                    return redirect_with_message(request, format_saved_guests(result), f"{LAYOUT.home}/{id}/guests")
                looked: Any = execute_tool(bulk_tools.save_guests, request.caller, {**fields, "dry_run": True}).data
                context |= {
                    "looked": looked,
                    "preview_rows": [_present_guest(row) for row in looked["items"][:MAX_SHOWN_GUESTS]],
                    **_questions_context(looked, accept),
                }
        except ToolError as refusal:
            issues = getattr(refusal, "issues", ())
            context["problems"] = [_format_issue(issue) for issue in issues[:20]] or [refusal.message]
            context["text"] = context["text"] or request.POST.get("csv", "")
            status = 422
    return LAYOUT.render_item_page(request, id, "seat/owner/import.html", context, status)


def _present_guest(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "reply": dict(REPLY_CHOICES)[row["reply"]]}


def _find_problem(choices: ColumnChoices, is_saving: bool) -> str:
    """Return the problem that prevents saving the list, or even showing it."""
    try:
        guest_import.check_names(choices.sheet)
    except InvalidInputError:
        return NO_NAMES_MESSAGE
    if is_saving and choices.undecided_columns:
        text = gettext("Choose a field or “Don’t import” for these columns: %(columns)s.")
        return text % {"columns": ", ".join(choices.undecided_columns)}
    return ""


def _questions_context(looked: Any, accept: list[str]) -> dict[str, Any]:
    """Return the questions, grouped by the option that answers them."""
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
    if not line.isdigit():
        return str(issue.message)
    return gettext("Line %(line)s: %(problem)s") % {"line": line, "problem": issue.message}
