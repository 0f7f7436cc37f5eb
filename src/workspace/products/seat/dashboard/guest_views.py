"""The guest list as a table that is edited in place, and imports of guest lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page, parse_whole_number
from workspace.lib.errors import ToolError
from workspace.products.seat.api import bulk_tools, tools
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.queries import get_chart_with_counts, tables_for

PAGE_SIZE = 50
NEW_ROWS = 3  # empty rows below the table
REPLY_CHOICES = [
    ("yes", gettext_lazy("Attending")),
    ("waiting", gettext_lazy("No reply")),
    ("no", gettext_lazy("Declined")),
]
TEXT_FIELDS = ("name", "party", "reply", "notes")


@page("GET", "HEAD", "POST")
def edit_guests(request: SignedInRequest, id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    problem, status = "", 200
    if request.method == "POST":
        try:
            text = _save_rows(request, id)
        except ToolError as refusal:
            issues = getattr(refusal, "issues", ())
            problem, status = (issues[0].message if issues else refusal.message), 422
        else:
            return redirect_with_message(request, text, request.get_full_path())
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**6)
    q = clean_text(request.GET.get("q"), 100)
    unseated = request.GET.get("unseated") == "1"
    listing: Any = call_tool(
        request, tools.list_guests, event_id=id, q=q, unseated_only=unseated, limit=PAGE_SIZE, offset=offset
    )
    courses = chart.courses or [{"name": gettext("Meal"), "choices": []}]
    context = {
        "chart": chart,
        "problem": problem,
        "listing": listing,
        "rows": [_present_row(request, row, courses) for row in listing["items"]],
        "new_rows": [_present_new_row(request, number, courses) for number in range(NEW_ROWS)],
        "courses": courses,
        "tables": [(table.pk, table.name) for table in tables_for(chart)],
        "replies": REPLY_CHOICES,
        "q": q,
        "unseated_only": unseated,
        "limit": PAGE_SIZE,
        "total": chart.guest_count,  # type: ignore[attr-defined]
        "parties": sorted({name for name in chart.guests.values_list("party", flat=True) if name}),
    }
    return LAYOUT.render_item_page(request, id, "seat/owner/guests.html", context, status)


def _present_row(request: SignedInRequest, row: dict[str, Any], courses: Any) -> dict[str, Any]:
    meals = row["meals"]
    chosen = [
        {**course, "chosen": meals[number] if number < len(meals) else ""} for number, course in enumerate(courses)
    ]
    return {**row, "courses": chosen}


def _present_new_row(request: SignedInRequest, number: int, courses: Any) -> dict[str, Any]:
    typed = {name: request.POST.get(f"new{number}-{name}", "") for name in TEXT_FIELDS}
    return {
        "number": number,
        "meal_name": f"new{number}-meal",
        "courses": [{**course, "chosen": ""} for course in courses],
        **typed,
    }


def _save_rows(request: SignedInRequest, id: str) -> str:
    """Save all changed and new rows in one step."""
    chart = get_chart_with_counts(request.account, id)
    ids = [id for id in request.POST.getlist("id")[:PAGE_SIZE] if id.isprintable()]
    removed = request.POST.getlist("gone")[:PAGE_SIZE]
    if removed and "remove" in request.POST:
        execute_tool(bulk_tools.save_guests, request.caller, {"event_id": id, "remove": removed})
        return ngettext("%(count)s guest removed.", "%(count)s guests removed.", len(removed)) % {"count": len(removed)}
    before = {guest.pk: guest for guest in chart.guests.filter(pk__in=ids)}
    items: list[dict[str, Any]] = []
    for guest_id in ids:
        guest = before.get(guest_id)
        if guest is None:
            continue
        fields: dict[str, Any] = {name: request.POST.get(f"{guest_id}-{name}", "").strip() for name in TEXT_FIELDS}
        changed = {name: value for name, value in fields.items() if value != getattr(guest, name)}
        meals = [text.strip() for text in request.POST.getlist(f"{guest_id}-meal")]
        if any(meals) != any(guest.meals) or [*filter(None, meals)] != [*filter(None, guest.meals)]:
            changed["meals"] = meals
        table = request.POST.get(f"{guest_id}-table", "")
        if table != (guest.table_id or "") and changed.get("reply") != "no":
            changed["table_id"] = table
        if changed:
            items.append({"id": guest_id, **changed})
    for number in range(NEW_ROWS):
        if name := request.POST.get(f"new{number}-name", "").strip():
            fields = {field: request.POST.get(f"new{number}-{field}", "").strip() for field in TEXT_FIELDS}
            meals = [text.strip() for text in request.POST.getlist(f"new{number}-meal")]
            items.append({**fields, "name": name, "reply": fields["reply"] or "waiting", "meals": meals})
    if not items:
        return gettext("Nothing changed.")
    result: Any = execute_tool(bulk_tools.save_guests, request.caller, {"event_id": id, "items": items}).data
    return format_saved_guests(result)


def format_saved_guests(result: Mapping[str, Any]) -> str:
    """Say how many guests were added and updated, and how many exceed the plan's limit."""
    added, changed, left = result["added"], result["changed"], result["did_not_fit"]
    sentences = []
    if added:
        sentences.append(ngettext("%(count)s guest added.", "%(count)s guests added.", added) % {"count": added})
    if changed:
        text = ngettext("%(count)s guest updated.", "%(count)s guests updated.", changed)
        sentences.append(text % {"count": changed})
    if left:
        text = ngettext(
            "%(count)s guest wasn’t added because you’ve reached your plan’s limit.",
            "%(count)s guests weren’t added because you’ve reached your plan’s limit.",
            left,
        )
        sentences.append(text % {"count": left})
    return " ".join(sentences) or gettext("Nothing changed.")
