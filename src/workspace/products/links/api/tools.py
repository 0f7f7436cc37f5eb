"""Link pages as tools: making, finding, changing and deleting a page and what stands on it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.lib.text import escape_markdown
from workspace.products.links.api.arguments import (
    NewElements,
    NewPage,
    Order,
    PageChanges,
    PageId,
    PageTitle,
    Removed,
    SavedElements,
)
from workspace.products.links.api.serializers import ElementRow, PageRow, element_line, page_of, pages_of, rows, whole
from workspace.products.links.api.serializers import told as in_words
from workspace.products.links.domain.element_input import Given, read
from workspace.products.links.models import KIND, Element, Page
from workspace.products.links.rules.types import ButtonTitle, ElementFields, Icon, TargetUrl
from workspace.publishing import live_blocks
from workspace.publishing.arguments import Ids
from workspace.publishing.duplication import Like, fields_like
from workspace.publishing.serializers import DeletedAll, several
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, bullets, listing
from workspace.tools.tool import Toolbox

NEITHER = "There is no such link page or button: svc_links_pages shows yours with their ids"
box = Toolbox(KIND, "Link pages")


@box.tool("svc_links_pages", title="List link pages", reads=True, columns="title state views public_url")
def pages(account: Account) -> Answer[Listing[PageRow]]:
    """Your link pages, newest first, all in one answer and each whole: public link, look, views, social profiles, and
    everything on it in order with its id, title, address and whether it is on."""
    found = rows(account, pages_of(account))
    return listing(found, total=len(found), offset=0, noun="link pages", line=lambda row: _indented(in_words(row)))


@box.tool("svc_links_create", title="Create a link page")
def create(
    account: Account,
    title: PageTitle,
    elements: NewElements | None = None,
    like: Like | None = None,
    **fields: Unpack[NewPage],
) -> Answer[PageRow]:
    """Make a link page whole: one public page for all your links, with `elements` as in svc_links_save_links, or like
    another one. It is live at once. Also takes what svc_links_export gives of a page. Counts against the plan's number
    of pages."""
    Page.check_room(account)
    given = read(account, elements or [], "elements")
    given.check()
    given.dress(account)
    model = page_of(account, like) if like is not None else None
    page = Page.open(account, **{**(fields_like(model) if model else {}), "title": title, **fields})
    page.fill(model.elements_again() if model and elements is None else given.new)
    return _told(account, page.pk, f"Created “{escape_markdown(title)}”")


@box.tool("svc_links_edit", title="Edit a link page", idempotent=True)
def edit(account: Account, page_id: PageId, **fields: Unpack[PageChanges]) -> Answer[PageRow]:
    """Change a page's name, text, look, social profiles, pictures, what link previews show, its address, or whether it
    is live. Only what is given changes, an empty text clears. Guests see it at their next load; an earlier address goes
    on working. svc_links_save_links changes what stands on it."""
    page = page_of(account, page_id)
    page.edit(**fields)
    return _told(account, page_id, _changed(page))


class AddedRow(ElementRow):
    page_id: str
    public_url: str


@box.tool("svc_links_add", title="Add a button")
def add(
    account: Account, page_id: PageId, *, title: ButtonTitle | None = None, url: TargetUrl, icon: Icon | None = None
) -> Answer[AddedRow]:
    """Put a button at the end of a page: a web address, or mailto:, tel: or sms: to write or to call. Without a title
    it shows its address; `icon` is an emoji before the title. svc_links_save_links adds many, and headings, texts and
    live blocks."""
    page = page_of(account, page_id)
    button: ElementFields = {"url": url, "title": title or "", "icon": icon or ""}
    [element] = read(account, [button], "").new
    page.save_elements(new=[element])
    [row] = [one for one in whole(page_of(account, page_id))["elements"] if one["id"] == element.pk]
    data: AddedRow = {**row, "page_id": page_id, "public_url": page.public_url}
    text = f"Added to “{escape_markdown(page.title)}” ({page_id}), {page.public_url}: {element_line(row)}"
    return Answer(data, text)


class ShownRow(TypedDict):
    thing: str
    title: str
    is_public: Annotated[bool, Field(description="A block of what is not public is not shown")]


class Saved(PageRow):
    saved: Annotated[list[str], Field(description="Ids of `items`, in their order")]
    can_show: Annotated[list[ShownRow], Field(description="What a live block can show of yours")]


@box.tool("svc_links_save_links", title="Save what stands on a link page")
def save_links(
    account: Account,
    page_id: PageId,
    items: SavedElements | None = None,
    remove: Removed | None = None,
    order: Order | None = None,
) -> Answer[Saved]:
    """Add, change, remove and order the buttons, headings, texts and live blocks of a page, all at once or not at all.
    An item with an id changes only in what is given; without one it is added at the end. A button needs a url, a
    heading a title, a text its text, a live block the thing that it shows now (today's menu, the newest review)."""
    page = page_of(account, page_id)
    items, remove, order = items or [], remove or [], order or []
    if not items and not remove and not order:
        raise InvalidInput.at("items", "Give what to save, to remove or to order")
    present = {element.pk: element for element in page.elements.all()}
    given = read(account, items, "items", present)
    for number, item in enumerate(items):
        if item.get("id") in remove:
            given.refuse(f"items.{number}.id", "It is to be removed as well: choose one")
    _check_ids(given, page, present, "remove", remove)
    _check_ids(given, page, present.keys() - set(remove), "order", order)
    given.check()
    given.dress(account)
    page.save_elements(new=given.new, changes=given.changes, gone=[present[id] for id in remove], order=order)
    new = iter(given.new)
    saved = [item["id"] if "id" in item else next(new).pk for item in items]
    return _saved(account, page, saved, len(remove))


@box.tool("svc_links_delete", title="Delete link pages or buttons", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedAll]:
    """Delete link pages with all that stands on them, or single buttons, headings, texts and live blocks. Guests are
    told that a deleted page is gone; its address is never given to another page. For 30 days svc_undo brings it back
    whole. To take a page down for a while, use svc_links_edit with live false."""
    elements = Element.objects.filter(page__in=account.link_pages.all()).select_related("page__account")
    found = several(ids, NEITHER, pages_of(account), elements)
    Page.take_off([one for one in found if isinstance(one, Element)])
    if pages := [one for one in found if isinstance(one, Page)]:
        Page.remove_many(pages)
    data: DeletedAll = {"deleted": [{"id": one.pk, "title": str(one)} for one in found]}
    lines = bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {len(found)}. For 30 days svc_undo brings it back:", *lines]))


def _check_ids(given: Given, page: Page, present: Collection[str], path: str, ids: list[str]) -> None:
    for number, id in enumerate(ids):
        if id == page.pk:
            given.refuse(f"{path}.{number}", "This is the page itself: svc_links_delete deletes pages")
        elif id not in present:
            given.refuse(f"{path}.{number}", "There is no such element on this page: svc_links_pages shows them")
        elif id in ids[:number]:
            given.refuse(f"{path}.{number}", "Named twice")


def _saved(account: Account, page: Page, saved: list[str], removed: int) -> Answer[Saved]:
    found = whole(page_of(account, page.pk))
    can_show: list[ShownRow] = [
        {"thing": one.id, "title": one.title, "is_public": one.is_public} for one in live_blocks.choices(account)
    ]
    title = _changed(page)
    if removed:
        title += f", removed {removed}"
    if saved:
        title += f", saved {', '.join(saved)}"
    text = in_words(found, title)
    if can_show:
        text = "\n".join([text, "", "A live block can show:", *bullets(can_show, _thing_line)])
    return Answer({**found, "saved": saved, "can_show": can_show}, text)


def _thing_line(row: ShownRow) -> str:
    return f"{escape_markdown(row['title'])} `{row['thing']}`{'' if row['is_public'] else ' (not public now)'}"


def _told(account: Account, page_id: str, title: str) -> Answer[PageRow]:
    """A page as it is now."""
    found = whole(page_of(account, page_id))
    return Answer(found, in_words(found, title))


def _changed(page: Page) -> str:
    name = f"“{escape_markdown(page.title)}”"
    return f"Changed {name}" if has_changed() else f"Nothing changed: {name} is as it was"


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ").replace("\n  \n", "\n")
