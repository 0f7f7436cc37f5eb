"""The tool that exports the testimonials of a page."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib.tabular import csv_table
from workspace.products.reviews.api.arguments import PageId
from workspace.products.reviews.api.serializers import testimonial_detail
from workspace.products.reviews.api.tools import box
from workspace.products.reviews.domain.queries import get_page, testimonials_for
from workspace.publishing.export_answers import Export, export_text
from workspace.tools.answer import Answer

EXPORT_COLUMNS = (
    *("written_at", "name", "byline", "email", "email_verified", "rating", "text", "excerpt", "reply", "status"),
    *("featured", "consented_at", "consent_text", "relationship", "origin", "source_name", "suspicion", "tags", "id"),
)


@box.tool(
    "svc_reviews_export",
    title="Export testimonials",
    about="Export all testimonials of a page as CSV, oldest first, with consent and source. Cells that look like "
    "formulas are prefixed with an apostrophe.",
    short="Export the testimonials of a page as CSV.",
    synonyms="download reviews, csv, excel, spreadsheet, bewertungen exportieren, herunterladen, exportar reseñas, "
    "descargar opiniones",
    reads=True,
)
def export(
    account: Account,
    page_id: PageId,
    kind: Annotated[Literal["items"], Field(description="Data to export: the page's testimonials.")] = "items",
) -> Answer[Export]:
    page = get_page(account, page_id)
    testimonials = [
        testimonial_detail(testimonial) for testimonial in testimonials_for(account).filter(page=page).order_by("id")
    ]
    rows = [
        {**testimonial, "tags": ", ".join(testimonial["tags"]), "origin": testimonial["source"]}
        for testimonial in testimonials
    ]
    csv = csv_table.write(EXPORT_COLUMNS, [[item[name] for name in EXPORT_COLUMNS] for item in rows])
    name = f"testimonials-{page.slug}.csv"
    return export_text("reviews", "testimonial", name, csv, rows=len(testimonials), kind=kind, page_id=page.pk)
