"""What a proposal says: its lines, packages, sums and terms, with the client's page beside them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse

from workspace.brand.models import Brand
from workspace.dashboard import previews as guests_page
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, whole_number, words
from workspace.lib.errors import InvalidInput
from workspace.lib.money import CURRENCIES
from workspace.products.bid.api import library_tools, tools
from workspace.products.bid.dashboard.forms import LABELS, SPARE, BidForm, initial_of, lines_of, packages_of
from workspace.products.bid.dashboard.layout import FRAME
from workspace.products.bid.dashboard.pasted_lines import read_rows
from workspace.products.bid.models import CLOSED

_LEFT = "bid_rows_left"  # of the session: the pasted rows that are not added yet, by proposal


def form_of(request: SignedInRequest, id: str, currency: str, initial: dict[str, object] | None = None) -> BidForm:
    fixed = {"id": id}
    return BidForm(tools.edit, request, currency=currency, fixed=fixed, editing=True, labels=LABELS, initial=initial)


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    form = form_of(request, id, found["currency"], initial_of(found))
    if answer := form.submit(request.caller):
        again = answer.data["revision"] != found["revision"]
        told = "Saved as a new version. Send it, so that your client hears of it." if again else "Saved."
        if "_more" in request.POST:
            return done(request, told, f"{FRAME.home}/{id}?more={whole_number(request.POST['_more'], 0, 0, 50)}#lines")
        return done(request, told, f"{FRAME.home}/{id}/send" if again else f"{FRAME.home}/{id}")
    context = {
        "found": found,
        "form": form,
        "lines": lines_of(form, SPARE + whole_number(request.GET.get("more"), 0, 0, 50)),
        "packages": packages_of(form),
        "shares": [("percent", "percent"), ("amount", found["currency"])],
        "currencies": [(code, code) for code in sorted(CURRENCIES)],
        "is_closed": found["status"] in CLOSED,
        "rows_left": request.session.pop(_LEFT, {}).get(id, ""),
    }
    return FRAME.page(request, id, "bid/edit.html", context, form.status)


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """The client's page; what is posted is tried on it and undone."""
    row = FRAME.find(request, id)
    if request.method == "POST":
        return guests_page.drafted(request, row, form_of(request, id, row.currency))
    return guests_page.shown(request, row)


@page("POST")
def paste(request: SignedInRequest, id: str) -> HttpResponse:
    """Add pasted rows behind the lines that are there. Rows that are not added go back into the field."""
    found = call(request, tools.get, id=id)
    text = request.POST.get("text", "")
    request.session[_LEFT] = {id: text[:200_000]}
    pasted = read_rows(text, found["currency"], Brand.of(request.account).country)
    count, problems = len(pasted.lines), pasted.problems
    several = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
    told = f"{'; '.join(problems[:5])}{several}"
    if not count:
        none = "No line has a name and a price: copy these two columns at least"
        raise InvalidInput.at("text", f"{none}. {told}" if told else none)
    call(request, tools.edit, id=id, line_items=[*initial_of(found)["line_items"], *pasted.lines])
    if problems:
        request.session[_LEFT] = {id: "\n".join(pasted.left)}
        rows = f"{len(problems)} row{' was' if len(problems) == 1 else 's were'} not added"
        messages.error(request, f"{rows}. {told}")
    else:
        del request.session[_LEFT]
    return done(request, f"{count} line{'' if count == 1 else 's'} added.", f"{FRAME.home}/{id}#lines")


@page()
def suggested(request: SignedInRequest) -> HttpResponse:
    """Lines of the library for what is being typed."""
    q = words(request.GET.get("q"), 100)
    found = call(request, library_tools.show, q=q, limit=8)
    return JsonResponse({"items": found["items"]})
