"""Tools to create, find, change and delete link pages and their elements."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.links import messages
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

box = Toolbox(KIND, "Link pages")


@box.tool(
    "svc_links_pages",
    title="List link pages",
    about="List all link pages, newest first, with public link, design, views and social profiles. Each page "
    "includes its elements in order, with ID, title, URL and whether they are on.",
    short="List link pages with all their links and elements.",
    synonyms="link in bio, linktree, bio links, meine links, linkseite, mis enlaces, página de enlaces",
    reads=True,
    columns="title state views public_url",
)
def list_pages(account: Account) -> Answer[Listing[PageData]]:
    pages = list_page_data(account, pages_for.fetch(account))
    return listing_answer(
        pages, total=len(pages), offset=0, noun="link pages", line=lambda row: _indent(format_page(row))
    )


@box.tool(
    "svc_links_create",
    title="Create a link page",
    about="Create a link-in-bio page. Pass elements as in svc_links_save, copy another page, or pass the result of "
    "svc_links_export. The page is live immediately and counts toward your plan's limit.",
    short="Create a link-in-bio page with all its links.",
    synonyms="linktree, bio page, instagram bio, landing page, all my links, linkseite erstellen, página de "
    "enlaces, enlace en la bio, crear página",
)
def create(
    account: Account,
    title: PageTitle,
    elements: NewElements | None = None,
    copy_of: CopyOf | None = None,
    **fields: Unpack[NewPage],
) -> Answer[PageData]:
    Page.check_quota(account)
    changes = parse_elements(account, elements or [], "elements")
    changes.raise_issues()
    changes.claim_images(account)
    model = get_page(account, copy_of) if copy_of is not None else None
    page = Page.open(account, **{**(copy_fields(model) if model else {}), "title": title, **fields})
    page.add_elements(model.copy_elements() if model and elements is None else changes.new)
    return _page_answer(account, page.pk, f"Created “{escape_markdown(title)}”")


@box.tool(
    "svc_links_edit",
    title="Update a link page",
    about="Update a link page: name, text, design, social profiles, images, link preview or slug. live=false takes "
    "it offline. Pass only the fields to change. An empty string clears a field. Visitors see changes after a "
    "reload. Old slugs keep working. For links, use svc_links_save.",
    short="Update a link page's name, design, social profiles or slug.",
    synonyms="theme, avatar, profile picture, instagram, tiktok, share image, og image, profilbild, aussehen, "
    "linkseite ändern, redes sociales, foto de perfil, tema, cambiar página, take link page offline, "
    "avatar image",
    idempotent=True,
)
def edit(account: Account, page_id: PageId, **fields: Unpack[PageChanges]) -> Answer[PageData]:
    page = get_page(account, page_id)
    page.edit(**fields)
    return _page_answer(account, page_id, _format_change(page))


class AddedElement(ElementData):
    page_id: str
    public_url: str


@box.tool(
    "svc_links_add",
    title="Add a link to a link page",
    about="Add a button at the end of a link page. It opens a web address, or a mailto:, tel: or sms: link. Without "
    "a title, it shows its address. For several buttons, or for headings, texts and live blocks, use "
    "svc_links_save.",
    short="Add one link to a link page.",
    synonyms="new button, add link, put link, link hinzufügen, button hinzufügen, añadir enlace, agregar botón, "
    "link to my page, website link, link zu meiner seite, enlace a mi página",
)
def add_button(
    account: Account, page_id: PageId, *, title: ButtonTitle | None = None, url: TargetUrl, icon: Icon | None = None
) -> Answer[AddedElement]:
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
    is_public: Annotated[bool, Field(description="Whether the item is public. Otherwise its block is hidden.")]


class SavedPage(PageData):
    saved: Annotated[list[str], Field(description="IDs of items, in the given order.")]
    can_show: Annotated[list[LiveBlockChoice], Field(description="Items that a live block can show.")]


@box.tool(
    "svc_links_save",
    title="Update links of a link page",
    about="Add, update, remove and reorder buttons, headings, text blocks and live blocks of a link page. One invalid "
    "entry rejects the whole list. Entries without id are added at the end. Buttons need url, headings title, "
    "texts text, and live blocks thing (a menu or review page).",
    short="Add, update, remove or reorder links, headings, texts and live blocks.",
    synonyms="reorder links, sort, hide link, turn link off, switch off button, swap, rename button, live block, "
    "links sortieren, reihenfolge, ausblenden, ordenar enlaces, ocultar enlace, cambiar botón",
)
def save(
    account: Account,
    page_id: PageId,
    items: SavedElements | None = None,
    remove: RemovedIds | None = None,
    order: IdOrder | None = None,
) -> Answer[SavedPage]:
    page = get_page(account, page_id)
    items, remove, order = items or [], remove or [], order or []
    if not items and not remove and not order:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    present = {element.pk: element for element in page.elements.all()}
    changes = parse_elements(account, items, "items", present)
    for number, item in enumerate(items):
        if item.get("id") in remove:
            changes.add_issue(f"items.{number}.id", messages.ELEMENT_IS_REMOVED)
    _check_ids(changes, page, present, "remove", remove)
    _check_ids(changes, page, present.keys() - set(remove), "order", order)
    changes.raise_issues()
    changes.claim_images(account)
    page.save_elements(new=changes.new, changes=changes.changes, elements=[present[id] for id in remove], order=order)
    new = iter(changes.new)
    saved = [item["id"] if "id" in item else next(new).pk for item in items]
    return _saved_answer(account, page, saved, len(remove))


@box.tool(
    "svc_links_delete",
    title="Delete link pages or links",
    about="Delete link pages with everything on them, or single buttons, headings, text blocks and live blocks. "
    "Visitors see that the page no longer exists, and its address is never reused. To restore within 30 days, use "
    "svc_undo. To pause a page, use svc_links_edit with live=false.",
    short="Delete link pages or single links. Restorable for 30 days.",
    synonyms="remove link, remove button, remove page, löschen, link entfernen, eliminar enlace, borrar página",
    destructive=True,
)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    elements = Element.objects.filter(page__in=account.link_pages.all()).select_related("page__account")
    items = get_many_or_404(ids, messages.PAGE_OR_ELEMENT_NOT_FOUND, pages_for(account), elements)
    Page.remove_elements([item for item in items if isinstance(item, Element)])
    if pages := [item for item in items if isinstance(item, Page)]:
        Page.remove_many(pages)
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    lines = format_bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {len(items)}. You can restore it with svc_undo for 30 days:", *lines]))


def _check_ids(changes: ElementChanges, page: Page, existing_ids: Collection[str], path: str, ids: list[str]) -> None:
    for number, id in enumerate(ids):
        if id == page.pk:
            changes.add_issue(f"{path}.{number}", messages.PAGE_IN_REMOVE)
        elif id not in existing_ids:
            changes.add_issue(f"{path}.{number}", messages.ELEMENT_NOT_FOUND)
        elif id in ids[:number]:
            changes.add_issue(f"{path}.{number}", messages.ELEMENT_REPEATED)


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
        text = "\n".join(
            [text, "", "Items that a live block can show:", *format_bullets(can_show, _format_block_choice)]
        )
    return Answer({**page_data, "saved": saved, "can_show": can_show}, text)


def _format_block_choice(row: LiveBlockChoice) -> str:
    return f"{escape_markdown(row['title'])} `{row['thing']}`{'' if row['is_public'] else ' (not public)'}"


def _page_answer(account: Account, page_id: str, title: str) -> Answer[PageData]:
    """Return an answer with the current state of the page."""
    page = page_detail(get_page(account, page_id))
    return Answer(page, format_page(page, title))


def _format_change(page: Page) -> str:
    name = f"“{escape_markdown(page.title)}”"
    return f"Updated {name}" if has_changed() else f"No changes to {name}"


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ").replace("\n  \n", "\n")
