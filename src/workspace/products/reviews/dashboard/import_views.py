"""Testimonials added by the owner, one in a form or several from a file, and the export."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard import form_images
from workspace.dashboard.downloads import csv_response
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest
from workspace.lib.errors import InvalidInputError
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews.api import testimonial_tools
from workspace.products.reviews.dashboard.item_layout import LAYOUT
from workspace.products.reviews.dashboard.presenters import (
    HOME_PATH,
    list_relationships,
    page,
    present_testimonial,
)
from workspace.products.reviews.domain.testimonial_import import MAX_ROWS

LABELS = {
    "name": owner_gettext_lazy("Author"),
    "text": owner_gettext_lazy("Review"),
    "rating": owner_gettext_lazy("Rating"),
    "source_name": owner_gettext_lazy("Source"),
    "written_on": owner_gettext_lazy("Date"),
    "byline": owner_gettext_lazy("City or occupation"),
    "email": owner_gettext_lazy("Email"),
    "relationship": owner_gettext_lazy("Relationship to your business"),
    "consented": owner_gettext_lazy("The author agreed to publication"),
    "tags": owner_gettext_lazy("Tags"),
    "photo": owner_gettext_lazy("Photo"),
    "photo_id": owner_gettext_lazy("Photo"),
    "excerpt": owner_gettext_lazy("Excerpt"),
    "reply": owner_gettext_lazy("Your reply"),
}
IMPORT_LABELS = {
    "csv": owner_gettext_lazy("Your list"),
    "source_name": owner_gettext_lazy("Source"),
    "consented": owner_gettext_lazy("All authors agreed to publication"),
}
CELL_LABELS = {
    "name": owner_gettext_lazy("name"),
    "text": owner_gettext_lazy("text"),
    "rating": owner_gettext_lazy("rating"),
    "written_on": owner_gettext_lazy("date"),
    "email": owner_gettext_lazy("email"),
    "byline": owner_gettext_lazy("city"),
    "tags": owner_gettext_lazy("tags"),
    "source_name": owner_gettext_lazy("source"),
}
SAMPLE_CSV = """name,text,rating,date,byline,tags,source
Ida Stern,"The best cake in town, and the kindest people.",5,2024-03-05,Linz,"cake, service",Google
Otto,We come back every Sunday.,5,2023-11-12,,,Guest book
"""


@page("GET", "HEAD", "POST")
def add_testimonial(request: SignedInRequest, id: str) -> HttpResponse:
    form = ToolForm(testimonial_tools.save_items, request, fixed={"page_id": id}, labels=LABELS, entry="items")
    form_images.store_upload(request, form, "photo", "photo_id")
    if not form.errors and (answer := form.submit(request.caller)):
        [made] = answer.data["items"]
        text = gettext("Review added. It isn’t public yet.")
        return redirect_with_message(request, text, f"{HOME_PATH}/{id}/items/{made['id']}")
    context = {"form": form, "relationships": list_relationships()}
    return LAYOUT.render_item_page(request, id, "reviews/owner/add.html", context, form.status)


@page("GET", "HEAD", "POST")
def import_testimonials(request: SignedInRequest, id: str) -> HttpResponse:
    form = ToolForm(testimonial_tools.save_items, request, fixed={"page_id": id}, labels=IMPORT_LABELS)
    text, note, looked = "", "", None
    if request.method == "POST":
        form.fixed["dry_run"] = request.POST.get("step") != "import"
        try:
            text, note = read_list_text(request, "csv")
        except InvalidInputError as refusal:
            form.add_error("csv", refusal.issues[0].message)
        form.values["csv"] = text
        if not text and not form.errors:
            form.add_error("csv", gettext("Paste a list or choose a file."))
        if not form.errors and (answer := form.submit(request.caller)):
            if not form.fixed["dry_run"]:
                count = len(answer.data["added"])
                summary = ngettext(
                    "%(count)s review imported. It isn’t public yet.",
                    "%(count)s reviews imported. They aren’t public yet.",
                    count,
                ) % {"count": count}
                return redirect_with_message(request, summary, f"{HOME_PATH}/{id}/items?status=pending")
            looked = answer.data
        form.errors = _errors_by_line(form.errors)
    context = {
        "form": form,
        "text": text,
        "note": note,
        "looked": looked,
        "items": [present_testimonial(row) for row in looked["items"]] if looked else [],
        "most": MAX_ROWS,
    }
    return LAYOUT.render_item_page(request, id, "reviews/owner/import.html", context, form.status)


@page()
def download_sample(request: SignedInRequest, id: str) -> HttpResponse:
    LAYOUT.get_item(request, id)
    return csv_response(SAMPLE_CSV, "testimonials.csv")


def _errors_by_line(errors: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the errors for the list's field, each with its line and column."""
    result: dict[str, tuple[str, ...]] = {}
    for path, text in errors.items():
        argument, *place = path.split(".")
        if len(place) == 2:
            line, column = place[0], CELL_LABELS[place[1]]
            text = tuple(
                gettext("Line %(line)s, %(column)s: %(message)s") % {"line": line, "column": column, "message": message}
                for message in text
            )
        result[argument] = (*result.get(argument, ()), *text)
    return result
