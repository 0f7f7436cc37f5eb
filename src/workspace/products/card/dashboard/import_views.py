"""Importing the cards of a team from a list."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_import import ListImport, ListImportPage
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.card import messages
from workspace.products.card.api import card_csv, tools
from workspace.products.card.dashboard.item_layout import LABELS, LAYOUT
from workspace.products.card.rules.card_list_headings import CARD_LIST

_FIELDS = (
    "full_name", "given_name", "family_name", "title", "company", "phone", "mobile", "email", "website", "address",
    "bio",
)  # fmt: skip
_OTHER_LABELS = {"mobile": owner_gettext_lazy("Mobile")}
CARD_IMPORT = ListImport(
    card_csv.LIST_NAME,
    CARD_LIST,
    [*((name, {**LABELS, **_OTHER_LABELS}[name]) for name in _FIELDS), ("id", owner_gettext_lazy("Card ID"))],
    card_csv.NAME_FIELDS,
    messages.NAME_COLUMN_NEEDED,
    {"more_phones": "mobile"},
)


@page("GET", "HEAD", "POST")
def import_cards(request: SignedInRequest) -> HttpResponse:
    list_page = ListImportPage(request, CARD_IMPORT)
    fields = {"csv": list_page.text, "columns": list_page.columns, "has_heading": list_page.is_headed}
    list_page.run(tools.save, fields)
    if list_page.is_saved:
        return redirect_with_message(request, _format_result(list_page.answer), LAYOUT.home)
    looked: Any = list_page.answer or {}
    count = looked.get("added", 0) + looked.get("changed", 0)
    button = ngettext("Import %(count)s card", "Import %(count)s cards", count) % {"count": f"{count:,}"}
    context = list_page.present(
        button=button if count else "" if looked else gettext("Import cards"),
        looked=looked,
        result_template="card/owner/import_result.html",
        placeholder=gettext("Name, Job title, Phone, Email\nAda King, Head baker, +43 1 234 56 78, ada@example.com"),
        help=gettext(
            "One person per line, with column names in any order and language. A line with the name and email of a "
            "card updates it."
        ),
    )
    return render(request, "card/owner/import.html", {"list_import": context}, status=list_page.status)


def _format_result(data: Any) -> str:
    added, changed = data["added"], data["changed"]
    sentences = []
    if added:
        sentences.append(ngettext("%(count)s card added.", "%(count)s cards added.", added) % {"count": added})
    if changed:
        sentences.append(ngettext("%(count)s card updated.", "%(count)s cards updated.", changed) % {"count": changed})
    return " ".join(sentences) or gettext("No changes.")
