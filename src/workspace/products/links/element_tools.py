"""What stands on a link page as tools: buttons, headings, texts and live blocks; their order and their schedule."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.links.arguments import (
    ButtonTitle,
    HeadingTitle,
    Icon,
    LiveKind,
    TargetUrl,
    Text,
    edges,
)
from workspace.products.links.models import MOST_BUTTONS, MOST_OTHERS, Element, Kind, Page
from workspace.products.links.rows import (
    ElementRow,
    PageWhole,
    element_of,
    element_row,
    page_of,
)
from workspace.products.links.shown import live_block
from workspace.products.links.tools import told, tools
from workspace.publishing import live_blocks
from workspace.toolkit import clock
from workspace.toolkit.answer import Answer, bullets
from workspace.toolkit.errors import InvalidInput, NotFound
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Id, MomentText

# a bound of the list's length; what is not on the page is refused by its id
Order = Annotated[
    list[Id],
    Field(max_length=MOST_BUTTONS + MOST_OTHERS, description="Ids in their new order; others follow as they stood"),
]


@tools.tool("svc_links_add", title="Add a button")
def add(
    account: Account, page_id: Id, *, title: ButtonTitle | None = None, url: TargetUrl, icon: Icon | None = None
) -> Answer[ElementRow]:
    """Put a button at the end of a page: a web address, or mailto:, tel: or sms: to write or to call. Without a title
    it shows its address; `icon` is an emoji before the title. A page holds up to 100 buttons."""
    page = page_of(account, page_id)
    return _appended(page, Element(kind=Kind.LINK, title=title or "", url=url, icon=icon or ""))


@tools.tool("svc_links_insert_heading", title="Insert a heading")
def insert_heading(account: Account, page_id: Id, title: HeadingTitle) -> Answer[ElementRow]:
    """Put a heading at the end of a page; svc_links_reorder moves it between the buttons."""
    return _appended(page_of(account, page_id), Element(kind=Kind.HEADING, title=title))


@tools.tool("svc_links_insert_text", title="Insert a text")
def insert_text(account: Account, page_id: Id, text: Text) -> Answer[ElementRow]:
    """Put a paragraph of plain text at the end of a page; svc_links_reorder moves it."""
    return _appended(page_of(account, page_id), Element(kind=Kind.TEXT, text=text))


@tools.tool("svc_links_insert_live", title="Insert a live block")
def insert_live(account: Account, page_id: Id, live: LiveKind) -> Answer[ElementRow]:
    """Put a block at the end of a page that shows what another of your tools has now, such as the newest review. It is
    left out while there is nothing to show."""
    page = page_of(account, page_id)
    known = live_blocks.kinds()
    if live not in known:
        raise InvalidInput.at("live", f"Must be one of {', '.join(known)}" if known else "No tool offers a block here")
    return _appended(page, Element(kind=Kind.LIVE, live=live))


class LiveKindRow(TypedDict):
    live: str
    title: str
    shows_now: bool


class LiveKinds(TypedDict):
    live_blocks: list[LiveKindRow]


@tools.tool("svc_links_live_kinds", title="Live blocks to choose from", reads=True)
def live_kinds(account: Account) -> Answer[LiveKinds]:
    """What svc_links_insert_live can show, and whether your account has something to show there now."""
    found: list[LiveKindRow] = [
        {"live": kind, "title": title, "shows_now": live_block(kind, account) is not None}
        for kind, title in live_blocks.kinds().items()
    ]
    lines = bullets(found, lambda row: f"`{row['live']}`: {row['title']}")
    return Answer({"live_blocks": found}, "\n".join(lines) or "No tool here offers a live block yet.")


@tools.tool("svc_links_edit_link", title="Edit a button or another element", idempotent=True)
def edit_link(
    account: Account,
    page_id: Id,
    link_id: Id,
    title: ButtonTitle | None = None,
    url: TargetUrl | None = None,
    icon: Icon | None = None,
    text: Text | None = None,
    is_on: bool | None = None,
    shows_from: MomentText | None = None,
    shows_until: MomentText | None = None,
) -> Answer[ElementRow]:
    """Change one element of a page: a button's title, address and emoji, a heading's title, a text; turn it on or off,
    or show it only from one moment until another. Only what is given changes; an empty text clears. Guests see it on
    the next load, and a button keeps its count of clicks."""
    element = element_of(account, page_id, link_id)
    fields: dict[str, object] = {}
    for name, value, kinds in (
        ("title", title, (Kind.LINK, Kind.HEADING)),
        ("url", url, (Kind.LINK,)),
        ("icon", icon, (Kind.LINK,)),
        ("text", text, (Kind.TEXT,)),
    ):
        if value is None:
            continue
        if element.kind not in kinds:
            raise InvalidInput.at(name, f"A {_NAMES[element.kind]} has none")
        fields[name] = value
    if element.kind == Kind.HEADING and title == "":
        raise InvalidInput.at("title", "Must not be empty")
    if is_on is not None:
        fields["is_on"] = is_on
    if shows_from is not None or shows_until is not None:
        since = clock.iso(element.shows_from) if shows_from is None else shows_from
        until = clock.iso(element.shows_until) if shows_until is None else shows_until
        fields["shows_from"], fields["shows_until"] = edges(since or "", until or "", account.zone)
    if fields:
        element.edit(**fields)
    row = element_row(element, clock.now())
    return Answer(row, f"Changed {_named(row)}. {_shown(row)}")


class Removed(TypedDict):
    id: str
    page_id: str
    removed: bool


@tools.tool("svc_links_remove_link", title="Remove a button or another element", destructive=True)
def remove_link(account: Account, page_id: Id, link_id: Id) -> Answer[Removed]:
    """Take one element off a page for good. To hide it for a while, turn it off with svc_links_edit_link."""
    element = element_of(account, page_id, link_id)
    row = element_row(element, clock.now())
    element.remove()
    return Answer({"id": link_id, "page_id": page_id, "removed": True}, f"Removed {_named(row)}.")


@tools.tool("svc_links_reorder", title="Reorder a link page", idempotent=True)
def reorder(account: Account, page_id: Id, link_ids: Order) -> Answer[PageWhole]:
    """Put a page's elements into another order: name all of them, or only those that come first."""
    page = page_of(account, page_id)
    if len(set(link_ids)) < len(link_ids):
        raise InvalidInput.at("link_ids", "Name each element once")
    known = {element.pk for element in page.elements.all()}
    if not known.issuperset(link_ids):
        raise NotFound("There is no such button on this page: svc_links_get_page shows its elements with their ids")
    page.arrange(link_ids)
    return told(account, page_id, f"Reordered “{escape_markdown(page.title)}”")


_NAMES: dict[str, str] = {Kind.LINK: "button", Kind.HEADING: "heading", Kind.TEXT: "text", Kind.LIVE: "live block"}


def _appended(page: Page, element: Element) -> Answer[ElementRow]:
    page.append([element])
    row = element_row(element, clock.now())
    return Answer(row, f"Added {_named(row)} to “{escape_markdown(page.title)}”: {page.public_url}")


def _named(row: ElementRow) -> str:
    told = row["title"] or row["text"][:60] or row["live"]
    return f"the {_NAMES[row['kind']]} “{escape_markdown(told)}” `{row['id']}`"


def _shown(row: ElementRow) -> str:
    if not row["is_on"]:
        return "It is off."
    return "Guests see it now." if row["shows_now"] else "Guests do not see it at this time."
