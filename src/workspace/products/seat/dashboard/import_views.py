"""Importing a guest list: a preview with the meaning of each column and questions by line, then a save in one step."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_import import ListImport, ListImportPage
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.tabular.list_table import CellProblem
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.seat.api import bulk_tools
from workspace.products.seat.dashboard.guest_views import format_saved_guests
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain import guest_import
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.rules.guest_list_headings import GUEST_LIST

GUEST_IMPORT = ListImport(
    guest_import.LIST_NAME,
    GUEST_LIST,
    [
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
    ],
    frozenset({"name", "first", "last"}),
    owner_gettext_lazy("Choose the column with the names of the guests."),
)
ACCEPT_LABELS = {
    "split": owner_gettext_lazy("Split couples into two guests"),
    "repeated": owner_gettext_lazy("Add guests who appear twice"),
    "tables": owner_gettext_lazy("Create missing tables"),
}
_QUESTION_COLUMNS = {"split": "name", "repeated": "name", "tables": "table"}


@page("GET", "HEAD", "POST")
def import_guests(request: SignedInRequest, id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    list_page = ListImportPage(request, GUEST_IMPORT)
    accept = [value for value in request.POST.getlist("accept") if value in ACCEPT_LABELS]
    headed = ["heading"] if list_page.is_headed else []
    fields = {"event_id": id, "csv": list_page.text, "accept": [*accept, *headed], "columns": list_page.columns}
    list_page.run(bulk_tools.save_guests, fields)
    if list_page.is_saved:
        return redirect_with_message(request, format_saved_guests(list_page.answer), f"{LAYOUT.home}/{id}/guests")
    context = {"chart": chart, "list_import": _present_import(list_page, accept)}
    return LAYOUT.render_item_page(request, id, "seat/owner/import.html", context, list_page.status)


def _present_import(list_page: ListImportPage, accept: list[str]) -> dict[str, Any]:
    looked: Any = list_page.answer or {}
    questions = looked.get("questions", [])
    notes = [CellProblem(one["line"], one["column"], one["text"]) for one in looked.get("skipped_cells", [])]
    notes += [CellProblem(one["line"], _QUESTION_COLUMNS.get(one["accept"], ""), one["text"]) for one in questions]
    count = looked.get("added", 0) + looked.get("changed", 0)
    button = ngettext("Import %(count)s guest", "Import %(count)s guests", count) % {"count": f"{count:,}"}
    return list_page.present(
        button=button if count else gettext("Import guests"),
        notes=list(dict.fromkeys(notes)),
        looked=looked,
        kinds=[
            {"key": key, "words": words, "count": count, "ticked": key in accept}
            for key, words in ACCEPT_LABELS.items()
            if (count := sum(question["accept"] == key for question in questions)) or key in accept
        ],
        result_template="seat/owner/import_result.html",
        placeholder=gettext("Name, Party, Meal\nAnna & Ben Berg, Berg, Fish\nCleo Müller +1, , Beef"),
        help=gettext(
            "You can start with column names in any order and language: name, party, meal, diet, notes, table, reply, "
            "email. “+1” adds a guest without a name. If you import the list again, guests with the same email or "
            "name are updated."
        ),
    )
