"""Tools that export a page or its statistics as a file."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown
from workspace.products.links.api.arguments import PageId
from workspace.products.links.api.stats_tools import compute_stats
from workspace.products.links.api.tools import box
from workspace.products.links.domain.queries import get_page
from workspace.products.links.models import Element, Page
from workspace.publishing.export_answers import BOM, MEDIA_TYPES
from workspace.publishing.shared_item_arguments import Days
from workspace.tools.answer import Answer, File, format_fact_list

MAX_CONTENT_BYTES = 50_000  # bytes of a file that is included in the answer
PAGE_FIELDS = (
    "title",
    "bio",
    "theme",
    "social_profiles",
    "avatar_id",
    "share_title",
    "share_description",
    "share_image_id",
)


class ExportResult(TypedDict):
    page_id: str
    kind: str
    file_name: str
    file_url: Annotated[str, Field(description="Download URL for the signed-in owner.")]
    rows: Annotated[int, Field(description="Number of elements or days.")]
    content: Annotated[str, Field(description="Content of the file. Empty if larger than 50 kB.")]


@box.tool(
    "svc_links_export",
    title="Export a link page",
    about="Export a link page as JSON, or its analytics as CSV. The JSON contains the title, design and elements, "
    "with images as upload IDs. The file that the owner downloads also contains the images, for import on "
    "another instance.",
    short="Export a link page, or its analytics.",
    synonyms="download, backup page, clicks csv, exportieren, exportar página, descargar",
    reads=True,
)
def export(
    account: Account,
    page_id: PageId,
    kind: Annotated[
        Literal["page", "stats"],
        Field(
            description="Data to export: page or stats. page is JSON for svc_links_create; stats is CSV by day. "
            "Defaults to page."
        ),
    ] = "page",
    days: Days | None = None,
) -> Answer[ExportResult]:
    page = get_page(account, page_id)
    if kind == "page":
        name, count, content = "link-page", page.elements.count(), dump_json(page_as_arguments(page))
    else:
        by_day = compute_stats(account, page_id, days)["by_day"]
        lines = [(day["date"], day["views"], day["unique"], day["clicks"]) for day in by_day]
        name, count = "link-page-stats", len(lines)
        content = csv_table.write(("date", "views", "unique visitors", "clicks"), lines)
    saved = f"/app/links/{page.pk}/export.json"
    if kind == "stats":
        saved = f"/files/links/export?page_id={page.pk}&kind=stats&days={count}"
    short = len(content.encode()) <= MAX_CONTENT_BYTES
    data: ExportResult = {
        "page_id": page.pk,
        "kind": kind,
        "file_name": f"{name}-{page.slug}.{'json' if kind == 'page' else 'csv'}",
        "file_url": f"{settings.BASE_URL}{saved}",
        "rows": count,
        "content": content if short else "",
    }
    pairs = {"page": page.pk, "kind": kind, "file": data["file_name"], "download": data["file_url"], "rows": count}
    head = format_fact_list(f"“{escape_markdown(page.title)}” as a file", pairs)
    text = f"{head}\n\n{content if short else 'The file is too large to include here. Download it.'}"
    file = File(data["file_name"], MEDIA_TYPES["csv"], (BOM + content).encode()) if kind == "stats" else None
    return Answer(data, text, file=file)


def dump_json(page: dict[str, Any]) -> str:
    return json.dumps(page, ensure_ascii=False, indent=2) + "\n"


def page_as_arguments(page: Page) -> dict[str, Any]:
    """Return a page in the format that `svc_links_create` accepts, without empty values."""
    return {
        **{name: value for name in PAGE_FIELDS if (value := getattr(page, name))},
        "elements": [_element_as_arguments(element) for element in page.elements.all()],
    }


def _element_as_arguments(element: Element) -> dict[str, Any]:
    result: dict[str, Any] = {"kind": str(element.kind)}
    for name in ("title", "url", "icon", "image_id", "text"):
        if value := getattr(element, name):
            result[name] = value
    if element.live_block_item_id:
        result["thing"] = element.live_block_item_id
    if not element.is_on:
        result["is_on"] = False
    for name in ("shows_from", "shows_until"):
        if moment := getattr(element, name):
            result[name] = clock.to_iso(moment)
    return result
