"""Tools to create, find, change and delete link pages and their elements."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.links.api.arguments import (
    IdOrder,
    NewElements,
    NewPage,
    PageChanges,
    PageId,
    PageTitle,
    RemovedIds,
    SavedElements,
)
from workspace.products.links.api.serializers import ElementData, PageData, list_page_data, page_detail
from workspace.products.links.api.text import format_element, format_page
from workspace.products.links.domain.element_input import ElementChanges, parse_elements
from workspace.products.links.domain.queries import get_page, pages_for
from workspace.products.links.models import KIND, Element, Page
from workspace.products.links.rules.element_fields import ButtonTitle, ElementFields, Icon, TargetUrl
from workspace.publishing import live_blocks
from workspace.publishing.duplication import CopyOf, copy_fields
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.tool import Toolbox

NO_PAGE_OR_ELEMENT = "There is no such link page or button: svc_links_pages shows yours with their ids"
box = Toolbox(KIND, "Link pages")


@box.tool("svc_links_pages", title="List link pages", reads=True, columns="title state views public_url")
def list_pages(account: Account) -> Answer[Listing[PageData]]:
    """Your link pages, newest first, all in one answer and each whole: public link, look, views, social profiles, and
    everything on it in order with its id, title, address and whether it is on."""
    pages = list_page_data(account, pages_for(account))
    return listing_answer(
        pages, total=len(pages), offset=0, noun="link pages", line=lambda row: _indent(format_page(row))
    )


@box.tool("svc_links_create", title="Create a link page")
def create(
    account: Account,
    title: PageTitle,
    elements: NewElements | None = None,
    copy_of: CopyOf | None = None,
    **fields: Unpack[NewPage],
) -> Answer[PageData]:
    """Make a link page whole: one public page for all your links, with `elements` as in svc_links_save, or like
    another one. It is live at once. Also takes what svc_links_export gives of a page. Counts against the plan's number
    of pages."""
    Page.check_quota(account)
    changes = parse_elements(account, elements or [], "elements")
    changes.raise_issues()
    changes.claim_images(account)
    model = get_page(account, copy_of) if copy_of is not None else None
    page = Page.open(account, **{**(copy_fields(model) if model else {}), "title": title, **fields})
    page.add_elements(model.copy_elements() if model and elements is None else changes.new)
    return _page_answer(account, page.pk, f"Created “{escape_markdown(title)}”")


@box.tool("svc_links_edit", title="Edit a link page", idempotent=True)
def edit(account: Account, page_id: PageId, **fields: Unpack[PageChanges]) -> Answer[PageData]:
    """Change a page's name, text, look, social profiles, pictures, what link previews show, its address, or whether it
    is live. Only what is given changes, an empty text clears. Guests see it at their next load; an earlier address goes
    on working. svc_links_save changes what stands on it."""
    page = get_page(account, page_id)
    page.edit(**fields)
    return _page_answer(account, page_id, _format_change(page))


class AddedElement(ElementData):
    page_id: str
    public_url: str


@box.tool("svc_links_add", title="Add a button")
def add_button(
    account: Account, page_id: PageId, *, title: ButtonTitle | None = None, url: TargetUrl, icon: Icon | None = None
) -> Answer[AddedElement]:
    """Put a button at the end of a page: a web address, or mailto:, tel: or sms: to write or to call. Without a title
    it shows its address; `icon` is an emoji before the title. svc_links_save adds many, and headings, texts and
    live blocks."""
    page = get_page(account, page_id)
    button: ElementFields = {"url": url, "title": title or "", "icon": icon or ""}
    [element] = parse_elements(account, [button], "").new
    page.save_elements(new=[element])
    [row] = [
        element_data
        for element_data in page_detail(get_page(account, page_id))["elements"]
        if element_data["id"] == element.pk
    ]
    data: AddedElement = {**row, "page_id": page_id, "public_url": page.public_url}
    text = f"Added to “{escape_markdown(page.title)}” ({page_id}), {page.public_url}: {format_element(row)}"
    return Answer(data, text)


class LiveBlockChoice(TypedDict):
    thing: str
    title: str
    is_public: Annotated[bool, Field(description="A block of what is not public is not shown")]


class SavedPage(PageData):
    saved: Annotated[list[str], Field(description="Ids of `items`, in their order")]
    can_show: Annotated[list[LiveBlockChoice], Field(description="What a live block can show of yours")]


@box.tool("svc_links_save", title="Save what stands on a link page")
def save(
    account: Account,
    page_id: PageId,
    items: SavedElements | None = None,
    remove: RemovedIds | None = None,
    order: IdOrder | None = None,
) -> Answer[SavedPage]:
    """Add, change, remove and order the buttons, headings, texts and live blocks of a page, all at once or not at all.
    An item with an id changes only in what is given; without one it is added at the end. A button needs a url, a
    heading a title, a text its text, a live block the thing that it shows now (today's menu, the newest review)."""
    page = get_page(account, page_id)
    items, remove, order = items or [], remove or [], order or []
    if not items and not remove and not order:
        raise InvalidInputError.at_path("items", "Give what to save, to remove or to order")
    present = {element.pk: element for element in page.elements.all()}
    changes = parse_elements(account, items, "items", present)
    for number, item in enumerate(items):
        if item.get("id") in remove:
            changes.add_issue(f"items.{number}.id", "It is to be removed as well: choose one")
    _check_ids(changes, page, present, "remove", remove)
    _check_ids(changes, page, present.keys() - set(remove), "order", order)
    changes.raise_issues()
    changes.claim_images(account)
    page.save_elements(new=changes.new, changes=changes.changes, elements=[present[id] for id in remove], order=order)
    new = iter(changes.new)
    saved = [item["id"] if "id" in item else next(new).pk for item in items]
    return _saved_answer(account, page, saved, len(remove))


@box.tool("svc_links_delete", title="Delete link pages or buttons", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    """Delete link pages with all that stands on them, or single buttons, headings, texts and live blocks. Guests are
    told that a deleted page is gone; its address is never given to another page. For 30 days svc_undo brings it back
    whole. To take a page down for a while, use svc_links_edit with live false."""
    elements = Element.objects.filter(page__in=account.link_pages.all()).select_related("page__account")
    items = get_many_or_404(ids, NO_PAGE_OR_ELEMENT, pages_for(account), elements)
    Page.remove_elements([item for item in items if isinstance(item, Element)])
    if pages := [item for item in items if isinstance(item, Page)]:
        Page.remove_many(pages)
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    lines = format_bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {len(items)}. For 30 days svc_undo brings it back:", *lines]))


def _check_ids(changes: ElementChanges, page: Page, existing_ids: Collection[str], path: str, ids: list[str]) -> None:
    for number, id in enumerate(ids):
        if id == page.pk:
            changes.add_issue(f"{path}.{number}", "This is the page itself: svc_links_delete deletes pages")
        elif id not in existing_ids:
            changes.add_issue(f"{path}.{number}", "There is no such element on this page: svc_links_pages shows them")
        elif id in ids[:number]:
            changes.add_issue(f"{path}.{number}", "Named twice")


def _saved_answer(account: Account, page: Page, saved: list[str], removed: int) -> Answer[SavedPage]:
    page_data = page_detail(get_page(account, page.pk))
    can_show: list[LiveBlockChoice] = [
        {"thing": choice.id, "title": choice.title, "is_public": choice.is_public}
        for choice in live_blocks.list_choices(account)
    ]
    title = _format_change(page)
    if removed:
        title += f", removed {removed}"
    if saved:
        title += f", saved {', '.join(saved)}"
    text = format_page(page_data, title)
    if can_show:
        text = "\n".join([text, "", "A live block can show:", *format_bullets(can_show, _format_block_choice)])
    return Answer({**page_data, "saved": saved, "can_show": can_show}, text)


def _format_block_choice(row: LiveBlockChoice) -> str:
    return f"{escape_markdown(row['title'])} `{row['thing']}`{'' if row['is_public'] else ' (not public now)'}"


def _page_answer(account: Account, page_id: str, title: str) -> Answer[PageData]:
    """Return the current page as an answer."""
    page = page_detail(get_page(account, page_id))
    return Answer(page, format_page(page, title))


def _format_change(page: Page) -> str:
    name = f"“{escape_markdown(page.title)}”"
    return f"Changed {name}" if has_changed() else f"Nothing changed: {name} is as it was"


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ").replace("\n  \n", "\n")
