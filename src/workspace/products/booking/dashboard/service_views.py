"""What can be booked on a page: one service with all its settings, their order, taking one away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.lib import money
from workspace.payments.checkout import connection_of
from workspace.products.booking.api import tools
from workspace.products.booking.dashboard.layout import FRAME
from workspace.products.booking.domain.unavailable_reasons import minutes

LABELS = {
    "name": "Name of the service",
    "text": "A few words about the service",
    "duration": "Takes",
    "price": "Price",
    "payment": "Paid online when booking",
    "deposit": "Deposit",
    "buffer_before": "Kept free before",
    "buffer_after": "Kept free after",
    "notice": "Booked at the latest",
    "horizon": "Booked at the earliest",
    "interval": "A time every",
    "daily_cap": "At most a day",
    "approval": "I confirm each one",
    "hidden": "Guests are not offered it",
    "cancel_until": "Guests may cancel",
    "move_until": "Guests may move it",
    "questions": "Questions",
    "questions.label": "Question",
    "questions.type": "Answered by",
    "questions.options": "Choices",
    "questions.required": "Has to be answered",
}
NOTICES = (0, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10080)  # minutes
UNTIL = (-1, 0, 1, 2, 6, 12, 24, 48, 72, 168)  # hours
KINDS = [
    ("short", "A line of text"),
    ("long", "Several lines"),
    ("choice", "One of several"),
    ("tick", "A box to tick"),
    ("phone", "A phone number"),
]
PAYMENTS = [("none", "Nothing"), ("deposit", "A deposit"), ("full", "The whole price")]
_NONE_IS_ZERO = ("interval", "daily_cap")


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, page_id=id)["page"]
    return _page(request, found, {"duration": 30, "notice": 120, "horizon": 60, "cancel_until": 24, "move_until": 24})


@page("GET", "HEAD", "POST")
def service(request: SignedInRequest, id: str, service: str) -> HttpResponse:
    found = call(request, tools.get, page_id=id)["page"]
    return _page(request, found, _one(found, service))


@page("POST")
def order(request: SignedInRequest, id: str, service: str) -> HttpResponse:
    """One place up."""
    ids = [row["id"] for row in call(request, tools.get, page_id=id)["page"]["services"]]
    if service not in ids:
        raise Http404("There is no such service")
    place = max(0, ids.index(service) - 1)
    rest = [one for one in ids if one != service]
    call(request, tools.save_services, page_id=id, order=[*rest[:place], service, *rest[place:]])
    return redirect_whole(request, f"{FRAME.home}/{id}/edit#services")


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, service: str) -> HttpResponse:
    row = _one(call(request, tools.get, page_id=id)["page"], service)
    back = f"{FRAME.home}/{id}/services/{service}"
    if request.method == "POST":
        call(request, tools.save_services, page_id=id, remove=[service])
        return done(request, f"{row['name']} is taken away.", f"{FRAME.home}/{id}/edit#services")
    return ask(
        request,
        title=f"Take {row['name']} away?",
        text="Nobody can book it any more. What is booked stays as it is; for 30 days it can be brought back.",
        button="Take it away",
        back=back,
    )


def _one(found: Mapping[str, Any], service: str) -> dict[str, Any]:
    for row in found["services"]:
        if row["id"] == service:
            return {**row, **{name: _typed(row[name], found["currency"]) for name in ("price", "deposit")}}
    raise Http404("There is no such service")


def _typed(amount: float | None, currency: str) -> str | None:
    """45 or 45.50, as one types it."""
    if amount is None:
        return None
    written = money.plain(money.minor_of(money.amount_of(amount), currency), currency)
    return written.removesuffix(".00")


def _page(request: SignedInRequest, found: Mapping[str, Any], row: Mapping[str, Any]) -> HttpResponse:
    id, service = found["id"], row.get("id", "")
    form = ToolForm(
        tools.save_services,
        request,
        fixed={"page_id": id},
        entry="items",
        entry_fixed={"id": service} if service else {},
        initial=row,
        editing=bool(service),
        labels=LABELS,
        amounts={"price": found["currency"], "deposit": found["currency"]},
    )
    if form.bound:
        _as_meant(form)
    if form.submit(request.caller):
        told = "Saved. What is booked stays as it is." if service else "Added: guests can book it now."
        return done(request, told, f"{FRAME.home}/{id}/edit#services")
    for name in _NONE_IS_ZERO:  # refused: as they were typed
        if form.values.get(name) == 0:
            form.values[name] = ""
    context = {
        "form": form,
        "page": found,
        "row": row,
        "can_charge": connection_of(request.account) is not None,
        "service_url": f"{found['public_url']}?{urlencode({'service': service})}",
        "kinds": KINDS,
        "payments": PAYMENTS,
        "notices": _choices(
            NOTICES, row.get("notice"), lambda count: f"{minutes(count)} before" if count else "Any time"
        ),
        "until": [_choices(UNTIL, row.get(name), _until) for name in ("cancel_until", "move_until")],
        "has_rules": any(form.errors),
    }
    return FRAME.page(request, id, "booking/owner/service.html", context, form.status)


def _as_meant(form: ToolForm) -> None:
    """Emptied numbers mean none, an emptied question goes, and choices come one a line."""
    for name in _NONE_IS_ZERO:
        if form.values.get(name) == "":
            form.values[name] = 0
    rows = form.values.get("questions")
    if isinstance(rows, list):
        kept = [row for row in rows if isinstance(row, dict) and str(row.get("label", "")).strip()]
        for row in kept:
            row["options"] = [
                line.strip() for text in row.get("options", ()) for line in str(text).split("\n") if line.strip()
            ]
            if row.get("type") != "choice" or not row["options"]:
                row.pop("options")
        form.values["questions"] = kept


def _choices(usual: tuple[int, ...], now: Any, words: Any) -> list[tuple[str, str]]:
    """The usual ones, and what stands there now."""
    counts = sorted({*usual, now} if isinstance(now, int) else usual)
    return [(str(count), words(count)) for count in counts]


def _until(hours: int) -> str:
    if hours < 0:
        return "Not at all"
    return f"Until {minutes(hours * 60)} before" if hours else "Until it begins"
