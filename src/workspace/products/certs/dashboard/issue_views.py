"""Issuing in three steps: who, what their columns mean, and what would happen; then it happens, once."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpResponse

from workspace.accounts.dispatch import perform
from workspace.dashboard.item_presenters import done
from workspace.dashboard.list_upload import pasted
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInput, Refusal
from workspace.lib.text import counted
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.certificate_views import shown_day
from workspace.products.certs.dashboard.layout import FRAME
from workspace.products.certs.domain import issuance, recipient_import
from workspace.products.certs.domain.recipients import MOST

COMMON = ("course", "date", "hours", "custom")
REMEMBERED = "certs.columns"  # in the session: what headings were said to mean
MOST_REMEMBERED = 60
SHOWN = 8


class _Asked:
    """What the form holds, from one step to the next."""

    def __init__(self, request: SignedInRequest) -> None:
        self.request = request
        self.step = request.POST.get("step", "read") if request.method == "POST" else ""
        self.text = ""
        self.note = ""
        self.problems: list[str] = []
        self.common = {name: text for name in COMMON if (text := request.POST.get(name, "").strip())}
        self.order = request.POST.get("order", "")
        self.sheet = recipient_import.Sheet(False, [], [])
        self.means: list[str] = []

    def read(self) -> None:
        """Raises InvalidInput."""
        self.text, self.note = pasted(self.request, "people")
        posted = self.request.POST
        headed = {"yes": True, "no": False}.get(posted.get("headed", "")) if "column.0" in posted else None
        self.sheet = recipient_import.read(
            self.text, remembered=self.request.session.get(REMEMBERED, {}), headed=headed
        )
        if not self.sheet.lines:
            raise InvalidInput.at("people", "Write a name, or choose a file with some")
        self.means = [one.means for one in self.sheet.columns]
        if "column.0" in posted:
            said = [posted.get(f"column.{place}", "") for place in range(len(self.means))]
            self.means = [one if one in recipient_import.COLUMNS else "" for one in said]
            self._judge()
            self._remember()
        elif recipient_import.is_names(self.sheet):
            self.means = ["name"]

    def _judge(self) -> None:
        twice = {one for one in self.means if one and self.means.count(one) > 1}
        self.problems += [f"Two columns are {recipient_import.COLUMNS[one]}: choose one" for one in sorted(twice)]
        if not {"name", "first_name", "last_name"} & set(self.means):
            self.problems.append("Say which column holds the names")

    def _remember(self) -> None:
        if not self.sheet.headed or self.problems:
            return
        said = {
            recipient_import.folded(column.heading): means
            for column, means in zip(self.sheet.columns, self.means, strict=True)
        }
        known = {**self.request.session.get(REMEMBERED, {}), **{name: one for name, one in said.items() if name}}
        self.request.session[REMEMBERED] = dict(list(known.items())[-MOST_REMEMBERED:])

    @property
    def asks(self) -> list[str]:
        return [] if self.order in recipient_import.ORDERS else recipient_import.asks(self.sheet, self.means)

    @property
    def must_map(self) -> bool:
        return not recipient_import.is_names(self.sheet) and (self.step == "read" or bool(self.problems or self.asks))

    def arguments(self, id: str) -> dict[str, Any]:
        people = recipient_import.recipients(self.sheet, self.means, self.order)
        return {"template_id": id, "recipients": people, **self.common}

    def told(self, refusal: Refusal) -> list[str]:
        """What is wrong, by the line and the column that people see."""
        found = []
        for one in getattr(refusal, "issues", ()):
            parts = one.path.split(".")
            if parts[0] == "recipients" and len(parts) > 1 and parts[1].isdigit():
                number, cells = self.sheet.lines[int(parts[1])]
                column = recipient_import.COLUMNS.get(parts[2], parts[2]) if len(parts) > 2 else ""
                who = next((cell for cell in cells if cell), "")[:40]
                found.append(f"Line {number}{f', {column}' if column else ''} ({who}): {one.message}")
            else:
                found.append(f"{one.path}: {one.message}" if one.path not in ("people", "") else one.message)
        return found or [refusal.message]


@page("GET", "HEAD", "POST")
def issue(request: SignedInRequest, id: str) -> HttpResponse:
    asked = _Asked(request)
    tried: Any = None
    if asked.step:
        try:
            asked.read()
            if asked.step != "back" and not asked.must_map:
                arguments = asked.arguments(id)
                if asked.step == "issue":
                    key = f"certs:{request.POST.get('_once', '')[:64]}"
                    made: Any = perform(tools.issue, request.caller, arguments, idempotency_key=key).data
                    return _issued(request, id, made)
                tried = perform(tools.issue, request.caller, {**arguments, "dry_run": True}).data
        except Refusal as refusal:
            asked.problems += asked.told(refusal)
            asked.step = "read" if recipient_import.is_names(asked.sheet) or not asked.sheet.lines else "map"
    stage = "ask"
    if tried is not None:
        stage = "check"
    elif asked.sheet.lines and not recipient_import.is_names(asked.sheet) and asked.step != "back":
        stage = "map"
    return FRAME.page(request, id, f"certs/owner/issue_{stage}.html", _context(request, asked, tried), _status(asked))


def _status(asked: _Asked) -> int:
    return 422 if asked.problems else 200


def _issued(request: SignedInRequest, id: str, made: Any) -> HttpResponse:
    if not made["issued"]:
        return done(request, "Nothing fits into this month any more.", f"{FRAME.home}/{id}/issued")
    more = f" {made['did_not_fit']} did not fit into this month." if made["did_not_fit"] else ""
    told = f"Issued {counted(made['issued'], 'certificate')}.{more}"
    return done(request, told, f"{FRAME.home}/{id}/issued?batch={made['batch_id']}")


def _context(request: SignedInRequest, asked: _Asked, tried: Any) -> dict[str, Any]:
    left = issuance.left_this_month(request.account)
    found: dict[str, Any] = {
        "left": left,
        "text": asked.text or request.POST.get("people", ""),
        "note": asked.note,
        "common": [(name, asked.common.get(name, "")) for name in COMMON],
        "said": asked.common,
        "problems": asked.problems[:50],
        "more": max(0, len(asked.problems) - 50),
        "most": MOST,
        "sheet": asked.sheet,
        "order": asked.order,
        "orders": recipient_import.ORDERS.items(),
        "asks": asked.asks[:3],
        "asks_days": bool(recipient_import.asks(asked.sheet, asked.means)),
        "columns": [(column, means) for column, means in zip(asked.sheet.columns, asked.means, strict=False)],
        "meanings": [("", "Leave it out"), *recipient_import.COLUMNS.items()],
        "token": request.POST.get("_once", "")[:64] or secrets.token_urlsafe(18),
    }
    if tried is not None:
        rows = tried["items"]
        found |= {
            "tried": tried,
            "rows": [{**row, "day": shown_day(row["date"])} for row in rows[:SHOWN]],
            "hidden": len(rows) - SHOWN,
            "mailed": sum(row["mail"] != "" for row in rows),
        }
    return found
