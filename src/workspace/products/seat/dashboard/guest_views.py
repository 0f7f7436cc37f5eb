"""The guest list by party, which is edited in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page, parse_whole_number
from workspace.lib.errors import ToolError
from workspace.lib.text import search_key
from workspace.products.seat.api import bulk_tools, tools
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.dashboard.plan_views import is_script_request
from workspace.products.seat.domain import guest_counts
from workspace.products.seat.domain.queries import all_guests_for, get_chart_with_counts, tables_for
from workspace.products.seat.models import Chart, Course
from workspace.publishing.diets import DIETS

PAGE_SIZE = 100
NEW_ROWS = 3  # empty rows below the table, of which a script shows one
REPLY_CHOICES = [
    ("yes", gettext_lazy("Attending")),
    ("waiting", gettext_lazy("No reply")),
    ("no", gettext_lazy("Declined")),
]
FILTER_CHOICES = [
    ("all", gettext_lazy("All")),
    ("coming", gettext_lazy("Attending")),
    ("waiting", gettext_lazy("No reply")),
    ("declined", gettext_lazy("Declined")),
    ("unseated", gettext_lazy("No table")),
    ("needs", gettext_lazy("Diets and notes")),
]
TEXT_FIELDS = ("name", "party", "reply", "notes")


@page("GET", "HEAD", "POST")
def edit_guests(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the list by party. The row that the query names, if any, can be edited. A POST saves rows."""
    chart = get_chart_with_counts(request.account, id)
    problem, status = "", 200
    if request.method == "POST":
        try:
            text = _save_rows(request, chart)
        except ToolError as refusal:
            problem, status = refusal.short_message, 422
            if is_script_request(request):
                return JsonResponse({"problem": problem}, status=status)
        else:
            if is_script_request(request):
                return JsonResponse({"said": text})
            query = request.GET.copy()
            query.pop("edit", None)
            return redirect_with_message(request, text, f"{request.path}?{query.urlencode()}".rstrip("?"))
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**6)
    q = clean_text(request.GET.get("q"), 100)
    chosen = request.GET.get("filter", "all")
    chosen = chosen if chosen in dict(FILTER_CHOICES) else "all"
    listing: Any = call_tool(
        request, tools.list_guests, event_id=id, q=q, filter=chosen, sort="party", limit=PAGE_SIZE, offset=offset
    )
    courses = list_courses(chart)
    people = all_guests_for.fetch(chart)
    counts = guest_counts.count_guests(people)
    edited = request.GET.get("edit", "")
    context = {
        "chart": chart,
        "problem": problem,
        "listing": listing,
        "groups": _group_rows(listing["items"], courses, edited),
        "new_rows": [_present_new_row(request, number, courses) for number in range(NEW_ROWS)],
        "courses": courses,
        "tables": [(table.pk, table.name) for table in tables_for(chart)],
        "replies": REPLY_CHOICES,
        "q": q,
        "chips": _build_chips(counts, chosen, q),
        "is_filtered": bool(q or chosen != "all"),
        "limit": PAGE_SIZE,
        "counts": counts,
        "diets": [(DIETS[key].label if key in DIETS else key, count) for key, count in counts.diets.items()],
        "query": urlencode([(name, value) for name, value in request.GET.items() if name != "edit"]),
        "parties": sorted({guest.party for guest in people if guest.party}),
    }
    return LAYOUT.render_page(request, chart, "seat/owner/guests.html", context, status)


def list_courses(chart: Chart) -> Sequence[Course]:
    """Return the chart's courses or, if it has none, one course for any meal."""
    return chart.courses or [{"name": gettext("Meal"), "choices": []}]


def present_courses(courses: Sequence[Course], meals: Sequence[str]) -> list[dict[str, Any]]:
    """Return the courses with the chosen meals."""
    return [{**course, "chosen": meals[number] if number < len(meals) else ""} for number, course in enumerate(courses)]


def _group_rows(rows: Sequence[dict[str, Any]], courses: Sequence[Course], edited: str) -> list[dict[str, Any]]:
    """Return the parties with their guests. Guests without a name are extra, and all others of a party are shown."""
    groups = []
    for key, members in groupby(rows, key=lambda row: search_key(row["party"]) or row["id"]):
        guests = [_present_row(row, courses, edited) for row in members]
        extra = [row for row in guests if row["placeholder"] and len(guests) > 1]
        groups.append(
            {
                "key": key,
                "party": guests[0]["party"],
                "rows": [row for row in guests if row not in extra],
                "extra": extra,
                "is_open": any(row["is_edited"] for row in extra),
                "size": len(guests),
            }
        )
    return groups


def _build_chips(counts: guest_counts.GuestCounts, chosen: str, q: str) -> list[dict[str, Any]]:
    numbers = {
        "all": counts.invited,
        "coming": counts.coming,
        "waiting": counts.waiting,
        "declined": counts.declined,
        "unseated": counts.unseated,
        "needs": counts.with_needs,
    }
    return [
        {
            "label": label,
            "count": numbers[key],
            "is_on": key == chosen,
            "url": "?" + urlencode([*([("q", q)] if q else []), *([("filter", key)] if key != "all" else [])]),
        }
        for key, label in FILTER_CHOICES
        if numbers[key] or key in ("all", chosen)
    ]


def _present_row(row: dict[str, Any], courses: Sequence[Course], edited: str) -> dict[str, Any]:
    needs = [*(DIETS[key].label if key in DIETS else key for key in row["diet"]), *filter(None, [row["notes"]])]
    return {
        **row,
        "courses": present_courses(courses, row["meals"]),
        "needs": ", ".join(needs),
        "is_edited": row["id"] == edited,
    }


def _present_new_row(request: SignedInRequest, number: int, courses: Sequence[Course]) -> dict[str, Any]:
    typed = {name: request.POST.get(f"new{number}-{name}", "") for name in TEXT_FIELDS}
    typed["reply"] = typed["reply"] or "waiting"
    return {
        "number": number,
        "meal_name": f"new{number}-meal",
        "courses": present_courses(courses, request.POST.getlist(f"new{number}-meal")),
        **typed,
    }


def _save_rows(request: SignedInRequest, chart: Chart) -> str:
    """Save all changed and new rows in one step."""
    ids = [id for id in request.POST.getlist("id")[:PAGE_SIZE] if id.isprintable()]
    removed = request.POST.getlist("gone")[:PAGE_SIZE]
    if removed and "remove" in request.POST:
        execute_tool(bulk_tools.save_guests, request.caller, {"event_id": chart.pk, "remove": removed})
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
    result: Any = execute_tool(bulk_tools.save_guests, request.caller, {"event_id": chart.pk, "items": items}).data
    return format_saved_guests(result)


def format_saved_guests(result: Mapping[str, Any]) -> str:
    """Describe how many guests were added and updated, and how many exceed the plan's limit."""
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
