"""Testimonials that the owner brings along: one by hand, many from a file; and taking all away as one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.reviews.dashboard.calls import ADD, EXPORT, HOME, IMPORT, PAGE_GET, page
from workspace.products.reviews.dashboard.shown import page_shown, testimonial_shown
from workspace.products.reviews.importing import MOST_ROWS
from workspace.products.reviews.models.testimonial import RELATIONSHIPS

LONGEST = 1_000_000
ADD_LABELS = {
    "name": "Who wrote it",
    "text": "Their words",
    "rating": "Stars",
    "source_name": "Where from",
    "written_on": "When",
    "byline": "Town or trade",
    "email": "E-mail",
    "relationship": "Their tie to your business",
    "consented": "They agreed to have it shown",
    "tags": "Tags",
    "photo": "Photo",
}
IMPORT_LABELS = {"csv": "Line", "source_name": "Where from", "consented": "They all agreed to have it shown"}
SAMPLE = """name,text,rating,date,byline,tags,source
Ida Stern,"The best cake in town, and the kindest people.",5,2024-03-05,Linz,"cake, service",Google
Otto,We come back every Sunday.,5,2023-11-12,,,Guest book
"""


@page("GET", "HEAD", "POST")
def add(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = page_shown(call(request, PAGE_GET, page_id=page_id))
    form = ToolForm(ADD, request, fixed={"page_id": page_id}, labels=ADD_LABELS)
    form_pictures.take(request, form, "photo", "photo_id")
    if not form.errors and (answer := form.submit(request.caller)):
        messages.success(request, f"Added what {answer.data['name']} wrote. It waits for your approval.")
        return redirect_whole(request, f"{HOME}/{page_id}/items/{answer.data['id']}")
    context = {"page": found, "form": form, "relationships": list(RELATIONSHIPS.items())}
    return render(request, "reviews/add.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def bring(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = page_shown(call(request, PAGE_GET, page_id=page_id))
    text, problem = _text(request)
    form = ToolForm(IMPORT, request, fixed={"page_id": page_id}, labels=IMPORT_LABELS)
    looked = None
    if request.method == "POST":
        form.values["csv"] = text
        form.fixed["dry_run"] = request.POST.get("step") != "import"
        if problem:
            form.error = problem
        elif answer := form.submit(request.caller):
            if not answer.data["dry_run"]:
                count = answer.data["imported"]
                messages.success(request, f"{count} testimonial{'' if count == 1 else 's'} imported as waiting.")
                return redirect_whole(request, f"{HOME}/{page_id}?status=pending")
            looked = answer.data
    context = {
        "page": found,
        "form": form,
        "text": text,
        "looked": looked,
        "items": [testimonial_shown(row) for row in looked["items"]] if looked else [],
        "most": MOST_ROWS,
    }
    return render(request, "reviews/import.html", context, status=form.status)


@page()
def sample(request: SignedInRequest, page_id: str) -> HttpResponse:
    call(request, PAGE_GET, page_id=page_id)
    response = HttpResponse(SAMPLE, content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="testimonials.csv"'
    return response


@page()
def export(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, EXPORT, page_id=page_id)
    # the mark at the beginning tells spreadsheets that this is UTF-8
    response = HttpResponse("\ufeff" + found["csv"], content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{found["file_name"]}"'
    return response


def _text(request: SignedInRequest) -> tuple[str, str]:
    """What was pasted or sent as a file, and what is wrong with it as a whole."""
    file = request.FILES.get("file")
    if file is None or not file.size:
        text = request.POST.get("csv", "")
    elif file.size > LONGEST:
        return "", "This file is too large: at most 1 MB, please."
    else:
        content = file.read()
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            # what spreadsheets write where nobody asked them for UTF-8
            text = content.decode("cp1252", "replace")
    if "\0" in text:
        return "", "This is not a CSV file. Export it from your spreadsheet as CSV, please."
    return text.replace("\r\n", "\n").replace("\r", "\n"), ""
