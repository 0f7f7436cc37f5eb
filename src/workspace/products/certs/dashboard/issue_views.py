"""The page that issues certificates in three steps: recipients, meaning of columns, and a preview.

Submitting it twice issues the certificates only once.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.products.certs import messages
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.certificate_views import format_day
from workspace.products.certs.dashboard.item_layout import LAYOUT
from workspace.products.certs.domain import issuance, recipient_table
from workspace.products.certs.domain.recipient_input import MAX_RECIPIENTS

COMMON_FIELDS = ("course", "date", "hours", "custom")
COLUMNS_SESSION_KEY = "certs.columns"  # the session's key for the meanings of headings
MAX_REMEMBERED_COLUMNS = 60
PREVIEW_ROWS = 8


class _IssueForm:
    """The state of the form across its steps."""

    def __init__(self, request: SignedInRequest) -> None:
        self.request = request
        self.step = request.POST.get("step", "read") if request.method == "POST" else ""
        self.text = ""
        self.note = ""
        self.problems: list[str] = []
        self.common = {name: text for name in COMMON_FIELDS if (text := request.POST.get(name, "").strip())}
        self.order = request.POST.get("order", "")
        self.sheet = recipient_table.RecipientTable(False, [], [])
        self.meanings: list[str] = []

    def load_sheet(self) -> None:
        """Parse the posted list. Raise InvalidInputError if it is not valid."""
        self.text, self.note = read_list_text(self.request, "people")
        query_dict = self.request.POST
        headed = {"yes": True, "no": False}.get(query_dict.get("headed", "")) if "column.0" in query_dict else None
        self.sheet = recipient_table.parse_recipient_table(
            self.text, remembered_meanings=self.request.session.get(COLUMNS_SESSION_KEY, {}), has_heading=headed
        )
        if not self.sheet.lines:
            raise InvalidInputError.at_path("people", messages.RECIPIENTS_NEEDED)
        self.meanings = [column.meaning for column in self.sheet.columns]
        if "column.0" in query_dict:
            lines = [query_dict.get(f"column.{place}", "") for place in range(len(self.meanings))]
            self.meanings = [value if value in recipient_table.COLUMN_LABELS else "" for value in lines]
            self._check_meanings()
            self._remember_meanings()
        elif recipient_table.is_name_list(self.sheet):
            self.meanings = ["name"]

    def _check_meanings(self) -> None:
        twice = {meaning for meaning in self.meanings if meaning and self.meanings.count(meaning) > 1}
        self.problems += [
            gettext("Only one column can be “%(field)s”.") % {"field": recipient_table.COLUMN_LABELS[value]}
            for value in sorted(twice)
        ]
        if not {"name", "first_name", "last_name"} & set(self.meanings):
            self.problems.append(gettext("Choose the column with the names."))

    def _remember_meanings(self) -> None:
        if not self.sheet.has_heading or self.problems:
            return
        data = {
            recipient_table.normalize_heading(column.heading): means
            for column, means in zip(self.sheet.columns, self.meanings, strict=True)
        }
        known = {
            **self.request.session.get(COLUMNS_SESSION_KEY, {}),
            **{name: value for name, value in data.items() if name},
        }
        self.request.session[COLUMNS_SESSION_KEY] = dict(list(known.items())[-MAX_REMEMBERED_COLUMNS:])

    @property
    def ambiguous_days(self) -> list[str]:
        return (
            []
            if self.order in recipient_table.DAY_ORDERS
            else recipient_table.list_ambiguous_days(self.sheet, self.meanings)
        )

    @property
    def needs_mapping(self) -> bool:
        return not recipient_table.is_name_list(self.sheet) and (
            self.step == "read" or bool(self.problems or self.ambiguous_days)
        )

    def build_arguments(self, id: str) -> dict[str, Any]:
        people = recipient_table.build_recipients(self.sheet, self.meanings, self.order)
        return {"template_id": id, "recipients": people, **self.common}

    def describe_problems(self, refusal: ToolError) -> list[str]:
        """Return the errors, by the line and the column that people see."""
        results = []
        for item in getattr(refusal, "issues", ()):
            parts = item.path.split(".")
            if parts[0] == "recipients" and len(parts) > 1 and parts[1].isdigit():
                number, cells = self.sheet.lines[int(parts[1])]
                column = recipient_table.COLUMN_LABELS.get(parts[2], parts[2]) if len(parts) > 2 else ""
                who = next((cell for cell in cells if cell), "")[:40]
                results.append(_describe_line(number, column, who, item.message))
            else:
                results.append(f"{item.path}: {item.message}" if item.path not in ("people", "") else item.message)
        return results or [refusal.message]


def _describe_line(number: int, column: str, who: str, problem: str) -> str:
    if not column:
        return gettext("Row %(number)s (%(name)s): %(problem)s") % {"number": number, "name": who, "problem": problem}
    return gettext("Row %(number)s, %(column)s (%(name)s): %(problem)s") % {
        "number": number,
        "column": column,
        "name": who,
        "problem": problem,
    }


@page("GET", "HEAD", "POST")
def issue(request: SignedInRequest, id: str) -> HttpResponse:
    issue_form = _IssueForm(request)
    tried: Any = None
    if issue_form.step:
        try:
            issue_form.load_sheet()
            if issue_form.step != "back" and not issue_form.needs_mapping:
                arguments = issue_form.build_arguments(id)
                if issue_form.step == "issue":
                    key = f"certs:{request.POST.get('_once', '')[:64]}"
                    made: Any = execute_tool(tools.issue, request.caller, arguments, idempotency_key=key).data
                    return _redirect_to_issued(request, id, made)
                tried = execute_tool(tools.issue, request.caller, {**arguments, "dry_run": True}).data
        except ToolError as refusal:
            issue_form.problems += issue_form.describe_problems(refusal)
            issue_form.step = (
                "read" if recipient_table.is_name_list(issue_form.sheet) or not issue_form.sheet.lines else "map"
            )
    stage = "people"
    if tried is not None:
        stage = "check"
    elif issue_form.sheet.lines and not recipient_table.is_name_list(issue_form.sheet) and issue_form.step != "back":
        stage = "columns"
    return LAYOUT.render_item_page(
        request,
        id,
        f"certs/owner/issue_{stage}.html",
        _build_context(request, issue_form, tried),
        _response_status(issue_form),
    )


def _response_status(issue_form: _IssueForm) -> int:
    return 422 if issue_form.problems else 200


def _redirect_to_issued(request: SignedInRequest, id: str, result: Any) -> HttpResponse:
    if not result["issued"]:
        text = gettext("You’ve reached this month’s limit. Nothing was issued.")
        return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/issued")
    count, excess = result["issued"], result["did_not_fit"]
    text = ngettext("%(count)s certificate issued.", "%(count)s certificates issued.", count) % {"count": f"{count:,}"}
    if excess:
        more = ngettext(
            "%(count)s recipient exceeded this month’s limit.",
            "%(count)s recipients exceeded this month’s limit.",
            excess,
        )
        text = f"{text} {more % {'count': f'{excess:,}'}}"
    return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/issued?batch={result['batch_id']}")


def _build_context(request: SignedInRequest, issue_form: _IssueForm, tried: Any) -> dict[str, Any]:
    left = issuance.remaining_this_month(request.account)
    listing: dict[str, Any] = {
        "left": left,
        "text": issue_form.text or request.POST.get("people", ""),
        "note": issue_form.note,
        "common": [(name, issue_form.common.get(name, "")) for name in COMMON_FIELDS],
        "common_fields": issue_form.common,
        "problems": issue_form.problems[:50],
        "more": max(0, len(issue_form.problems) - 50),
        "most": MAX_RECIPIENTS,
        "sheet": issue_form.sheet,
        "order": issue_form.order,
        "orders": recipient_table.DAY_ORDERS.items(),
        "asks": issue_form.ambiguous_days[:3],
        "asks_days": bool(recipient_table.list_ambiguous_days(issue_form.sheet, issue_form.meanings)),
        "columns": [
            (column, means) for column, means in zip(issue_form.sheet.columns, issue_form.meanings, strict=False)
        ],
        "meanings": [("", gettext("Don’t import")), *recipient_table.COLUMN_LABELS.items()],
        "token": request.POST.get("_once", "")[:64] or secrets.token_urlsafe(18),
    }
    if tried is not None:
        rows = tried["items"]
        listing |= {
            "trial": tried,
            "rows": [{**row, "day": format_day(row["date"])} for row in rows[:PREVIEW_ROWS]],
            "hidden": len(rows) - PREVIEW_ROWS,
            "mailed": sum(row["mail"] != "" for row in rows),
        }
    return listing
