"""Link pages as tools: making, finding and changing a page. Its elements stand in `element_tools.py`."""

from __future__ import annotations

from typing_extensions import TypedDict

from workspace.accounts.models import Account, Upload
from workspace.products.links.arguments import (
    Bio,
    PageTitle,
    PictureId,
    Profiles,
    ShareDescription,
    ShareTitle,
    Theme,
)
from workspace.products.links.models import KIND, Page
from workspace.products.links.rows import (
    PageRow,
    PageWhole,
    button_line,
    one_line,
    page_of,
    pages_of,
    rows,
    whole,
)
from workspace.products.links.themes import DEFAULT
from workspace.publishing.arguments import Slug
from workspace.publishing.models import Publication
from workspace.toolkit.answer import Answer, Listing, bullets, facts, listing
from workspace.toolkit.errors import ToolError
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.tool import Toolbox
from workspace.toolkit.types import Id

tools = Toolbox("link", "Link pages")


@tools.tool("svc_links_pages", title="List link pages", reads=True)
def pages(account: Account) -> Answer[Listing[PageRow]]:
    """Your link pages, newest first, all in one answer: public link, views, every button with its id, title, URL and
    whether it is on, and the social profiles."""
    found = rows(pages_of(account))
    return listing(found, total=len(found), offset=0, noun="link pages", line=one_line)


@tools.tool("svc_links_create_page", title="Create a link page")
def create_page(
    account: Account, title: PageTitle, bio: Bio = "", theme: Theme = DEFAULT, slug: Slug | None = None
) -> Answer[PageWhole]:
    """Make a link page: one public page for all your links. It is live at once; put buttons on it with svc_links_add.
    Counts against the plan's number of pages."""
    page = make(account, slug, title=title, bio=bio, theme=theme)
    return told(account, page.pk, f"Created “{escape_markdown(title)}”")


def make(account: Account, slug: str | None, **fields: object) -> Page:
    """A new page, within the plan. Called under the account's lock."""
    most = account.limits(KIND).pages
    if most is not None and account.link_pages.count() >= most:
        way_out = account.or_larger(KIND, "delete one")
        raise ToolError(f"Your plan holds {most} link page{'' if most == 1 else 's'} and all are in use: {way_out}")
    return Page.objects.create(account=account, publication=Publication.open(account, KIND, slug), **fields)


@tools.tool("svc_links_get_page", title="Get a link page", reads=True)
def get_page(account: Account, page_id: Id) -> Answer[PageWhole]:
    """One page with everything on it in order (buttons, headings, texts, live blocks), its look, its addresses and the
    picture of its QR code."""
    page = page_of(account, page_id)
    return told(account, page.pk, escape_markdown(page.title))


@tools.tool("svc_links_edit_page", title="Edit a link page", idempotent=True)
def edit_page(
    account: Account,
    page_id: Id,
    title: PageTitle | None = None,
    bio: Bio | None = None,
    theme: Theme | None = None,
    slug: Slug | None = None,
    social_profiles: Profiles | None = None,
    avatar_id: PictureId | None = None,
    share_title: ShareTitle | None = None,
    share_description: ShareDescription | None = None,
    share_picture_id: PictureId | None = None,
) -> Answer[PageWhole]:
    """Change a page's name, text, look, address, social profiles, picture, or what link previews show of it. Only what
    is given changes; an empty text clears. Guests see it on the next load; an earlier address goes on working."""
    page = page_of(account, page_id)
    fields = {
        "title": title,
        "bio": bio,
        "theme": theme,
        "share_title": share_title,
        "share_description": share_description,
        "social_profiles": None if social_profiles is None else [one.model_dump() for one in social_profiles],
    }
    given = {name: value for name, value in fields.items() if value is not None}
    if given:
        page.edit(**given)
    if slug is not None and slug.lower() != page.publication.slug:
        page.publication.move(slug)
    for name, id in (("avatar", avatar_id), ("share_picture", share_picture_id)):
        if id is not None and id != (getattr(page, f"{name}_id") or ""):
            page.show_picture(name, Upload.claim(account, id, f"{name}_id") if id else None)
    return told(account, page_id, f"Changed “{escape_markdown(page.title)}”")


@tools.tool("svc_links_pause_page", title="Pause a link page", idempotent=True)
def pause_page(account: Account, page_id: Id) -> Answer[PageWhole]:
    """Take a page out of public sight for a while: guests see a friendly page that names your business."""
    page = page_of(account, page_id)
    page.publication.pause()
    return told(account, page_id, f"Paused “{escape_markdown(page.title)}”")


@tools.tool("svc_links_resume_page", title="Resume a link page", idempotent=True)
def resume_page(account: Account, page_id: Id) -> Answer[PageWhole]:
    """Show a paused page again."""
    page = page_of(account, page_id)
    page.publication.resume()
    return told(account, page_id, f"“{escape_markdown(page.title)}” is public again")


class Deleted(TypedDict):
    id: str
    deleted: bool


@tools.tool("svc_links_delete_page", title="Delete a link page", destructive=True)
def delete_page(account: Account, page_id: Id) -> Answer[Deleted]:
    """Delete a page for good, with its buttons. Its address then says that it is gone and is never given to another
    page. To take it down for a while, use svc_links_pause_page."""
    page = page_of(account, page_id)
    title = page.title
    page.remove()
    return Answer(
        {"id": page_id, "deleted": True}, f"Deleted “{escape_markdown(title)}”. Its address will not be used again."
    )


def told(account: Account, page_id: str, title: str) -> Answer[PageWhole]:
    """A page as it is now."""
    found = whole(page_of(account, page_id))
    pairs = {
        "id": found["id"],
        "public link": found["public_url"],
        "state": found["state"],
        "views": found["views"],
        "theme": found["theme"],
        "social profiles": ", ".join(profile["network"] for profile in found["social_profiles"]),
        "QR code": found["svg_url"],
    }
    return Answer(found, "\n".join([facts(title, pairs), "", *bullets(found["buttons"], button_line)]).strip())
