"""Creating several codes from a CSV file or pasted lines: a preview, then the codes if there are no errors."""

from __future__ import annotations

from typing import Any

from django.contrib import messages as flash_messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

from workspace.dashboard.list_import import ListImport, ListImportPage
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.lib.tabular.list_table import CellProblem
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.api import bulk_tools
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.dashboard.list_views import quota_usage
from workspace.products.qr.domain import code_list_csv
from workspace.products.qr.rules.code_list_headings import CODE_LIST, MAX_ROWS

CODE_IMPORT = ListImport(
    code_list_csv.LIST_NAME,
    CODE_LIST,
    [
        ("name", owner_gettext_lazy("Name")),
        ("target_url", owner_gettext_lazy("Destination")),
        ("folder", owner_gettext_lazy("Folder")),
        ("slug", owner_gettext_lazy("Custom link")),
        ("id", owner_gettext_lazy("QR code ID")),
        ("kind", owner_gettext_lazy("Type")),
    ],
    frozenset({"name", "id"}),
    owner_gettext_lazy("Choose the column with the names of the QR codes."),
)
SAMPLE_CSV = """name,destination,folder,custom link
Table 1,https://example.com/menu?table=1,Tables,
Table 2,https://example.com/menu?table=2,Tables,
Summer flyer,"https://example.com/summer?of=cakes,coffee",Flyers,summer-flyer
"""


@page("GET", "HEAD", "POST")
def import_codes(request: SignedInRequest) -> HttpResponse:
    list_page = ListImportPage(request, CODE_IMPORT)
    fields = {"csv": list_page.text, "columns": list_page.columns, "has_heading": list_page.is_headed}
    list_page.run(bulk_tools.save, fields)
    if list_page.is_saved:
        return _redirect_after_save(request, list_page.answer)
    context = {"list_import": _present_import(request, list_page)}
    return render(request, "qr/owner/bulk.html", context, status=list_page.status)


def _present_import(request: SignedInRequest, list_page: ListImportPage) -> dict[str, Any]:
    looked: Any = list_page.answer or {}
    skipped = [CellProblem(one["line"], one["column"], one["text"]) for one in looked.get("skipped_cells", [])]
    changed, left = looked.get("changed", 0), looked.get("did_not_fit", 0)
    total = len(list_page.sheet.rows) - looked.get("unchanged", 0) - len(skipped) if list_page.sheet and looked else 0
    count = total - left
    if changed:
        button = ngettext("Save %(count)s QR code", "Save %(count)s QR codes", count)
    else:
        button = ngettext("Create %(count)s QR code", "Create %(count)s QR codes", count)
    return list_page.present(
        button=button % {"count": f"{count:,}"} if count else "" if looked else gettext("Create QR codes"),
        notes=skipped,
        looked=looked,
        changed=changed,
        room=quota_usage(request, total - changed) if looked else None,
        result_template="qr/owner/bulk_result.html",
        sample_url="/app/qr/bulk/sample.csv",
        placeholder=gettext(
            "name, destination, folder, custom link\nTable 1, example.com/menu?table=1, Tables\n"
            "Table 2, example.com/menu?table=2, Tables"
        ),
        help=gettext(
            "Separate columns with commas, semicolons or tabs, up to %(most)s lines. To set folders and custom links, "
            "start with a line of column names, as in the example. Put links that contain a comma in quotation marks."
        )
        % {"most": f"{MAX_ROWS:,}"},
    )


def _redirect_after_save(request: SignedInRequest, data: Any) -> HttpResponse:
    """Redirect with a message that says what was saved."""
    made, left, job = data["created"], data["did_not_fit"], data.get("job_id")
    changed = data["changed"]
    if not job:
        sentences = []
        if made:
            sentences.append(ngettext("%(count)s QR code created.", "%(count)s QR codes created.", made))
            sentences[-1] %= {"count": made}
        if changed:
            sentences.append(ngettext("%(count)s QR code updated.", "%(count)s QR codes updated.", changed))
            sentences[-1] %= {"count": changed}
        flash_messages.success(request, " ".join(sentences) or gettext("No changes."))
    if left:
        text = ngettext(
            "%(left)s QR code was skipped because you’ve reached your plan’s limit.",
            "%(left)s QR codes were skipped because you’ve reached your plan’s limit.",
            left,
        )
        flash_messages.warning(request, text % {"left": left})
    return redirect_full_page(request, f"/app/jobs/{job}" if job else LAYOUT.home)


@page()
def download_sample(request: SignedInRequest) -> HttpResponse:
    response = HttpResponse(SAMPLE_CSV, content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="qr-codes.csv"'
    return response
