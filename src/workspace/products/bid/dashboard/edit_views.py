"""The page on which a proposal is edited as its client will see it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext

from workspace.brand.models import Brand
from workspace.dashboard import form_images
from workspace.dashboard import previews as guests_page
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page, parse_whole_number
from workspace.lib.errors import InvalidInputError
from workspace.lib.money import CURRENCIES
from workspace.products.bid import messages as bid_messages
from workspace.products.bid.api import library_tools, tools
from workspace.products.bid.dashboard.forms import (
    LABELS,
    SPARE_LINES,
    BidForm,
    initial_values,
    present_packages,
    render_lines,
)
from workspace.products.bid.dashboard.item_layout import LAYOUT
from workspace.products.bid.dashboard.offer_preview import build_preview
from workspace.products.bid.dashboard.pasted_lines import parse_rows
from workspace.products.bid.models import CLOSED_STATUSES
from workspace.storage.files.images import image_url

PICTURE_WIDTH = 768  # pixels
MAX_SHOWN_PROBLEMS = 5  # of rows that were pasted
_REMAINING_ROWS_KEY = "bid_rows_left"  # the session's key for pasted rows that have not been added, by proposal


def edit_form(request: SignedInRequest, id: str, currency: str, initial: dict[str, object] | None = None) -> BidForm:
    fixed = {"id": id}
    return BidForm(tools.edit, request, currency=currency, fixed=fixed, editing=True, labels=LABELS, initial=initial)


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    bid = call_tool(request, tools.get, id=id)
    form = edit_form(request, id, bid["currency"], initial_values(bid))
    form_images.store_upload(request, form, "image", "image_id")
    if not form.errors and (answer := form.submit(request.caller)):
        return _redirect_after_save(request, id, is_revised=answer.data["revision"] != bid["revision"])
    amounts = build_preview(form, bid["currency"])
    image = form.get_value("image_id") or ""
    context = {
        "bid": bid,
        "form": form,
        "preview": amounts,
        "lines": render_lines(form, amounts.lines, SPARE_LINES + parse_whole_number(request.GET.get("more"), 0, 0, 50)),
        "packages": present_packages(form, amounts.packages),
        "shares": [("percent", gettext("Percent")), ("amount", bid["currency"])],
        "currencies": [(code, code) for code in sorted(CURRENCIES)],
        "is_closed": bid["status"] in CLOSED_STATUSES,
        "rows_left": request.session.pop(_REMAINING_ROWS_KEY, {}).get(id, ""),
        "brand": Brand.for_account(request.account),
        "image": image,
        "picture": image_url(image, PICTURE_WIDTH)
        if image == bid["image_id"]
        else form_images.display_url(request.account, image),
        "is_new": False,  # an empty proposal is not ready to be shared
    }
    return LAYOUT.render_item_page(request, id, "bid/owner/edit.html", context, form.status)


def _redirect_after_save(request: SignedInRequest, id: str, *, is_revised: bool) -> HttpResponse:
    """Return to the page, or go on to sending it if the owner wants that or the client has an older version."""
    text = gettext("Saved as a new version. Send it to your client.") if is_revised else gettext("Proposal saved.")
    page_url = f"{LAYOUT.home}/{id}"
    if "_more" in request.POST:
        url = f"{page_url}?more={parse_whole_number(request.POST['_more'], 0, 0, 50)}#lines"
    else:
        url = f"{page_url}/send" if is_revised or "_send" in request.POST else page_url
    return redirect_with_message(request, text, url)


@page("POST")
def compute_amounts(request: SignedInRequest, id: str) -> HttpResponse:
    """Return the amounts for the posted values. Nothing is saved."""
    currency = LAYOUT.get_item(request, id).currency
    amounts = build_preview(edit_form(request, id, currency), currency)
    figures = render_to_string("bid/owner/parts/sums.html", {"preview": amounts})
    return JsonResponse(
        {
            "lines": amounts.lines,
            "packages": amounts.packages,
            "figures": figures,
            "total": amounts.total,
            "values": amounts.values,
        }
    )


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the page that the client sees. A POST renders it with the posted values, which are not saved."""
    row = LAYOUT.get_item(request, id)
    if request.method == "POST":
        return guests_page.render_draft(request, row, edit_form(request, id, row.currency))
    return guests_page.render_preview(request, row)


@page("POST")
def add_pasted_lines(request: SignedInRequest, id: str) -> HttpResponse:
    """Add pasted rows after the existing lines. Rows that cannot be added remain in the text field."""
    bid = call_tool(request, tools.get, id=id)
    text = request.POST.get("text", "")
    request.session[_REMAINING_ROWS_KEY] = {id: text[:200_000]}
    pasted = parse_rows(text, bid["currency"], Brand.for_account(request.account).country)
    count, problems = len(pasted.lines), pasted.problems
    summary = " ".join(problems[:MAX_SHOWN_PROBLEMS])
    if not count:
        raise InvalidInputError.at_path("text", f"{bid_messages.NO_ROW_ADDED} {summary}".strip())
    call_tool(request, tools.edit, id=id, line_items=[*initial_values(bid)["line_items"], *pasted.lines])
    if problems:
        request.session[_REMAINING_ROWS_KEY] = {id: "\n".join(pasted.rejected_rows)}
        rows = ngettext("%(count)s row wasn’t added.", "%(count)s rows weren’t added.", len(problems))
        messages.error(request, f"{rows % {'count': len(problems)}} {summary}")
    else:
        del request.session[_REMAINING_ROWS_KEY]
    text = ngettext("%(count)s line added.", "%(count)s lines added.", count) % {"count": count}
    return redirect_with_message(request, text, f"{LAYOUT.home}/{id}#lines")


@page()
def suggest_lines(request: SignedInRequest) -> HttpResponse:
    """Suggest lines from the library that match the typed text."""
    q = clean_text(request.GET.get("q"), 100)
    listing = call_tool(request, library_tools.list_library, q=q, limit=8)
    return JsonResponse({"items": listing["items"]})
