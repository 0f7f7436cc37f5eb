"""A whole page out of here and back in."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.models import Account, Upload
from workspace.products.links.arguments import edges
from workspace.products.links.models import Element, Page
from workspace.products.links.page_file import FileElement, PageFile, written
from workspace.products.links.rows import PageWhole, page_of
from workspace.products.links.tools import make, told, tools
from workspace.publishing.arguments import Slug
from workspace.storage.pictures import Picture
from workspace.toolkit.answer import Answer
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Id


class PageExport(TypedDict):
    page_id: str
    file_name: str
    page: dict[str, Any]


@tools.tool("svc_links_export_page", title="Export a link page", reads=True)
def export_page(account: Account, page_id: Id) -> Answer[PageExport]:
    """A whole page as JSON, with its pictures inside: a copy to keep, and what svc_links_import_page takes."""
    page = page_of(account, page_id)
    found = written(page)
    data: PageExport = {"page_id": page.pk, "file_name": f"link-page-{page.publication.slug}.json", "page": found}
    return Answer(data, f"“{escape_markdown(page.title)}” with {len(found['elements'])} elements, as JSON in `page`.")


@tools.tool("svc_links_import_page", title="Import a link page")
def import_page(account: Account, page: PageFile, slug: Slug | None = None) -> Answer[PageWhole]:
    """Make a new page of an export, or of JSON in the same form. One wrong entry refuses it all, named at its place.
    Counts against the plan's number of pages."""
    elements = [_element(account, number, one) for number, one in enumerate(page.elements)]
    made = make(
        account,
        slug,
        title=page.title,
        bio=page.bio,
        theme=page.theme,
        social_profiles=[profile.model_dump() for profile in page.social_profiles],
        share_title=page.share_title,
        share_description=page.share_description,
    )
    made.append(elements)
    _show(account, made, "avatar", page.avatar)
    _show(account, made, "share_picture", page.share_picture)
    return told(account, made.pk, f"Imported “{escape_markdown(page.title)}”")


def _element(account: Account, number: int, one: FileElement) -> Element:
    since, until = edges(one.shows_from, one.shows_until, account.zone, f"page.elements.{number}.")
    return Element(
        kind=one.kind,
        title=one.title,
        url=one.url or "",
        icon=one.icon,
        text=one.text or "",
        live=one.live or "",
        is_on=one.is_on,
        shows_from=since,
        shows_until=until,
    )


def _show(account: Account, page: Page, field: str, picture: Any) -> None:
    """`picture`: what the argument's validator made of its text, drawn anew before the transaction."""
    if isinstance(picture, Picture):
        upload = Upload.keep(account, picture)
        page.show_picture(field, Upload.claim(account, upload.pk, f"page.{field}"))
