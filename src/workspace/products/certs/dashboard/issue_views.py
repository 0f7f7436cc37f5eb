"""The page that issues certificates to a list of people: a preview of the list, then one step.

Submitting it twice issues the certificates only once.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_import import ListImport, ListImportPage
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.certs import messages
from workspace.products.certs.api import import_tools
from workspace.products.certs.dashboard.certificate_views import format_day
from workspace.products.certs.dashboard.item_layout import LAYOUT
from workspace.products.certs.domain import issuance, recipient_table
from workspace.products.certs.rules.recipient_list_headings import MAX_RECIPIENTS, RECIPIENT_LIST

COMMON_FIELDS = ("course", "date", "hours", "custom")
DAY_ORDERS = {
    "dmy": owner_gettext_lazy("Day first: 3/4 is April 3"),
    "mdy": owner_gettext_lazy("Month first: 3/4 is March 4"),
}
RECIPIENT_IMPORT = ListImport(
    recipient_table.LIST_NAME,
    RECIPIENT_LIST,
    [
        ("name", owner_gettext_lazy("Name")),
        ("first_name", owner_gettext_lazy("First name")),
        ("last_name", owner_gettext_lazy("Last name")),
        ("email", owner_gettext_lazy("Email")),
        ("course", owner_gettext_lazy("Course")),
        ("date", owner_gettext_lazy("Date")),
        ("hours", owner_gettext_lazy("Hours")),
        ("custom", owner_gettext_lazy("Custom text")),
        ("expires_on", owner_gettext_lazy("Valid until")),
        ("language", owner_gettext_lazy("Language")),
        ("reference", owner_gettext_lazy("Your reference")),
    ],
    recipient_table.NAME_FIELDS,
    messages.NAME_COLUMN_NEEDED,
)


@page("GET", "HEAD", "POST")
def issue(request: SignedInRequest, id: str) -> HttpResponse:
    list_page = ListImportPage(request, RECIPIENT_IMPORT)
    common = {name: text for name in COMMON_FIELDS if (text := request.POST.get(name, "").strip())}
    order = request.POST.get("order", "")
    unclear = recipient_table.list_ambiguous_days(list_page.sheet) if list_page.sheet else []
    fields: dict[str, Any] = {"template_id": id, "csv": list_page.text, "columns": list_page.columns, **common}
    fields |= {"has_heading": True} if list_page.is_headed else {}
    fields |= {"day_order": order} if order in DAY_ORDERS and unclear else {}
    if unclear and order not in DAY_ORDERS:
        list_page.problems.append(gettext("Choose whether the day or the month comes first in the dates."))
    list_page.run(import_tools.import_recipients, fields)
    if list_page.is_saved:
        return _redirect_to_issued(request, id, list_page.answer)
    context = {"list_import": _present_import(request, list_page, common, unclear)}
    return LAYOUT.render_item_page(request, id, "certs/owner/issue.html", context, list_page.status)


def _present_import(
    request: SignedInRequest, list_page: ListImportPage, common: dict[str, str], unclear: list[str]
) -> dict[str, Any]:
    trial: Any = list_page.answer
    count = trial["issued"] if trial else 0
    button = ngettext("Issue %(count)s certificate", "Issue %(count)s certificates", count) % {"count": f"{count:,}"}
    return list_page.present(
        button=button if count else "" if trial else gettext("Issue certificates"),
        trial=trial,
        first={**trial["items"][0], "day": format_day(trial["items"][0]["date"])} if count else {},
        mailed=sum(row["mail"] != "" for row in trial["items"]) if trial else 0,
        common=common,
        unclear=unclear[:1],
        order=request.POST.get("order", ""),
        orders=DAY_ORDERS.items(),
        left=issuance.remaining_this_month(request.account),
        result_template="certs/owner/issue_result.html",
        options_template="certs/owner/issue_options.html",
        placeholder=gettext("Ada Lovelace\nBen Okafor"),
        help=gettext("Enter one name per line, or paste cells from a spreadsheet. Up to %(most)s at once.")
        % {"most": f"{MAX_RECIPIENTS:,}"},
    )


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
