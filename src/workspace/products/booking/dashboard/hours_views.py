"""The opening hours of a page: the week, dates with other hours on a calendar, and blocked times."""

from __future__ import annotations

import calendar
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.weekly_hours import DAYS, Window
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.booking.api import booking_tools, tools
from workspace.products.booking.dashboard.item_layout import LABELS, LAYOUT
from workspace.products.booking.dashboard.presenters import parse_day

_NAMES = (
    owner_gettext_lazy("Monday"),
    owner_gettext_lazy("Tuesday"),
    owner_gettext_lazy("Wednesday"),
    owner_gettext_lazy("Thursday"),
    owner_gettext_lazy("Friday"),
    owner_gettext_lazy("Saturday"),
    owner_gettext_lazy("Sunday"),
)
DAY_NAMES = dict(zip(DAYS, _NAMES, strict=True))
SPARE_WINDOWS = 1
MAX_WINDOWS_PER_DAY = 6
BLOCK_LABELS = {
    "start": owner_gettext_lazy("From"),
    "end": owner_gettext_lazy("Until"),
    "reason": owner_gettext_lazy("Reason"),
}


@page("GET", "HEAD", "POST")
def hours(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the hours. A POST saves the week.

    If `copy` is posted, the windows of a day are copied to the days selected next to it.
    """
    page = call_tool(request, tools.get, page_id=id)["page"]
    form = LAYOUT.edit_form(request, id, initial={"hours": page["hours"]}, labels={**LABELS, "hours": gettext("Hours")})
    week = {day: _day_windows(page["hours"], day) for day in DAYS}
    text = gettext("Hours saved.")
    if form.is_bound:
        week = {day: _posted_windows(request.POST, day) for day in DAYS}
        if (source := request.POST.get("copy", "")) in DAYS:
            chosen = [day for day in request.POST.getlist(f"{source}.to") if day in DAYS]
            week |= {day: list(week[source]) for day in chosen}
            names = ", ".join(str(DAY_NAMES[day]) for day in chosen)
            text = (
                gettext("Hours saved. %(day)s copied to %(days)s.") % {"day": DAY_NAMES[source], "days": names}
                if names
                else gettext("Hours saved. Select days to copy to.")
            )
        form.values["hours"] = _merge_windows(week)
    if form.submit(request.caller):
        return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/hours")
    return _render_page(request, page, form=form, week=week)


@page("POST")
def save_override(request: SignedInRequest, id: str) -> HttpResponse:
    """Save special hours for a date or a range of dates.

    Without windows, the dates are closed. With `clear`, the weekly hours apply again.
    """
    page = call_tool(request, tools.get, page_id=id)["page"]
    first, last = request.POST.get("from", ""), request.POST.get("to", "")
    home = f"{LAYOUT.home}/{id}/hours"
    if "clear" in request.POST:
        call_tool(request, tools.edit, page_id=id, remove=[clean_text(first, 10)])
        return redirect_with_message(
            request, gettext("Special hours removed."), f"{home}?day={clean_text(first, 10)}#days"
        )
    windows = (
        []
        if request.POST.get("closed") == "yes"
        else [_date_window(window) for window in _posted_windows(request.POST, "day")]
    )
    fields: dict[str, Any] = {"from": first, "windows": windows, **({"to": last} if last else {})}
    try:
        call_tool(request, tools.edit, page_id=id, overrides=[fields])
    except InvalidInputError as refusal:
        return _render_page(request, page, typed_override=fields, problems=[issue.message for issue in refusal.issues])
    text = gettext("Special hours saved.") if windows else gettext("Marked as closed.")
    return redirect_with_message(
        request, f"{text}{_format_remaining_bookings(request, id, first, last or first)}", f"{home}?day={first}#days"
    )


@page("POST")
def create_block(request: SignedInRequest, id: str) -> HttpResponse:
    page = call_tool(request, tools.get, page_id=id)["page"]
    form = _build_block_form(request, id)
    if form.submit(request.caller):
        return redirect_with_message(
            request, gettext("Time blocked. Existing bookings are kept."), f"{LAYOUT.home}/{id}/hours#blocks"
        )
    return _render_page(request, page, block_form=form)


@page("POST")
def delete_block(request: SignedInRequest, id: str, block: str) -> HttpResponse:
    call_tool(request, tools.edit, page_id=id, remove=[block])
    return redirect_with_message(request, gettext("Time unblocked."), f"{LAYOUT.home}/{id}/hours#blocks")


def _render_page(
    request: SignedInRequest,
    page: Mapping[str, Any],
    *,
    form: ToolForm | None = None,
    week: Mapping[str, Sequence[Mapping[str, str]]] | None = None,
    block_form: ToolForm | None = None,
    typed_override: Mapping[str, Any] | None = None,
    problems: Sequence[str] = (),
) -> HttpResponse:
    """Render the page of hours.

    `typed_override` has other hours that were rejected, and `problems` the messages.
    """
    id = page["id"]
    form = form or ToolForm(tools.edit, request, fixed={"page_id": id}, initial={}, labels=LABELS)
    week = week or {day: _day_windows(page["hours"], day) for day in DAYS}
    block_form = block_form or _build_block_form(request, id)
    today = clock.today(page["time_zone"])
    day = parse_day(typed_override["from"] if typed_override else request.GET.get("day"), today)
    differing = {row["date"]: row["windows"] for row in page["overrides"]}
    windows = typed_override["windows"] if typed_override else differing.get(day.isoformat())
    context = {
        "form": form,
        "week": [_present_day(key, week[key], form) for key in DAYS],
        "blocking": block_form,
        "blocks": [
            {**row, "at": f"{_parse_time(row['start']):%a %d %b %Y, %H:%M}", "until": _format_override_end(row)}
            for row in page["blocks"]
        ],
        "zone": page["time_zone"],
        "day": day,
        "today": today,
        "month": _build_month(page, differing, day, today),
        "month_before": (day.replace(day=1) - timedelta(days=1)).replace(day=1).isoformat(),
        "month_after": (day.replace(day=1) + timedelta(days=31)).replace(day=1).isoformat(),
        "chosen": {
            "differs": day.isoformat() in differing,
            "windows": [*(_day_windows(page["hours"], DAYS[day.weekday()]) if windows is None else windows), {}],
            "closed": windows == [],
            "to": typed_override.get("to", "") if typed_override else "",
            "problems": list(dict.fromkeys(problems)),
        },
        "overrides": [
            {"date": date.fromisoformat(row["date"]), "hours_text": _format_windows(row["windows"])}
            for row in page["overrides"]
        ],
    }
    status = 422 if problems else block_form.status if block_form.status != 200 else form.status
    return LAYOUT.render_item_page(request, id, "booking/owner/hours.html", context, status)


def _format_remaining_bookings(request: SignedInRequest, id: str, first: str, last: str) -> str:
    """Return a sentence that lists the bookings on these dates, or an empty string."""
    listed = call_tool(request, booking_tools.list_bookings, page_id=id, limit=3, **{"from": first, "to": last})
    if not listed["total"]:
        return ""
    names = ", ".join(f"{row['name']} ({_parse_time(row['start']):%-d %b, %H:%M})" for row in listed["items"])
    more = listed["total"] - len(listed["items"])
    if not more:
        return " " + gettext("Existing bookings are kept: %(names)s.") % {"names": names}
    text = ngettext(
        "Existing bookings are kept: %(names)s and %(more)s more.",
        "Existing bookings are kept: %(names)s and %(more)s more.",
        more,
    )
    return " " + text % {"names": names, "more": more}


def _build_block_form(request: SignedInRequest, id: str) -> ToolForm:
    ids = "b"
    posted = request.path.endswith("/block")
    form = ToolForm(tools.edit, request, fixed={"page_id": id}, entry="blocks", labels=BLOCK_LABELS, ids=ids)
    if not posted:
        day = clean_text(request.GET.get("day"), 10)
        form.is_bound, form.values = False, {"start": f"{day}T12:00", "end": f"{day}T13:00"} if day else {}
    return form


def _present_day(key: str, windows: Sequence[Mapping[str, str]], form: ToolForm) -> dict[str, Any]:
    rows = [*windows, *[{}] * SPARE_WINDOWS][:MAX_WINDOWS_PER_DAY]
    return {
        "key": key,
        "name": DAY_NAMES[key],
        "windows": [{"from": window.get("from", ""), "until": window.get("until", "")} for window in windows],
        "spare": len(windows) < MAX_WINDOWS_PER_DAY,
        "place": len(rows) - 1,
        "others": [(day, DAY_NAMES[day]) for day in DAYS if day != key],
    }


def _day_windows(hours: Sequence[Mapping[str, Any]], day: str) -> list[Mapping[str, str]]:
    return [{"from": hour["from"], "until": hour["until"]} for hour in hours if not hour["days"] or day in hour["days"]]


def _posted_windows(post: QueryDict, day: str) -> list[Mapping[str, str]]:
    """Return the windows of a day as typed, without empty pairs."""
    results: list[Mapping[str, str]] = []
    for number in range(MAX_WINDOWS_PER_DAY):
        begin, until = (post.get(f"{day}.{number}.{name}", "").strip()[:10] for name in ("from", "until"))
        if begin or until:
            results.append({"from": begin, "until": until})
    return results


def _date_window(window: Mapping[str, str]) -> Window:
    return {"days": [], "from": window["from"], "until": window["until"]}


def _merge_windows(week: Mapping[str, Sequence[Mapping[str, str]]]) -> list[Window]:
    """Merge equal windows of several days into one, in the order of the week."""
    result: dict[tuple[str, str], Window] = {}
    for day in DAYS:
        for item in week[day]:
            key = (item["from"], item["until"])
            result.setdefault(key, {"days": [], "from": item["from"], "until": item["until"]})["days"].append(day)
    return sorted(result.values(), key=lambda window: (DAYS.index(window["days"][0]), window["from"]))


def _build_month(
    page: Mapping[str, Any], override_days: Mapping[str, Any], day: date, today: date
) -> list[list[dict[str, Any]]]:
    """Build the calendar of a month in full weeks.

    Each date says whether it is open and whether its hours differ from those of its weekday.
    """

    def present_day(date: date) -> dict[str, Any]:
        other = override_days.get(date.isoformat())
        windows = _day_windows(page["hours"], DAYS[date.weekday()]) if other is None else other
        return {
            "date": date,
            "is_out": date.month != day.month,
            "is_past": date < today,
            "is_today": date == today,
            "is_chosen": date == day,
            "differs": other is not None,
            "hours_text": _format_windows(windows),
            "is_closed": not windows,
        }

    weeks = calendar.Calendar().monthdatescalendar(day.year, day.month)
    return [[present_day(day) for day in week] for week in weeks]


def _format_windows(windows: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{window['from']}–{window['until']}" for window in windows) or gettext("closed")


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _format_override_end(row: Mapping[str, Any]) -> str:
    start, end = _parse_time(row["start"]), _parse_time(row["end"])
    return f"{end:%H:%M}" if start.date() == end.date() else f"{end:%a %d %b %Y, %H:%M}"
