"""Review pages as tools: making, changing, pausing, what they show and how they are put on a website."""

from __future__ import annotations

from datetime import datetime, time
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.reviews.arguments import ConsentText, Disclosure, Hosts, Intro, PageId, Questions, Thanks, Title
from workspace.products.reviews.framing import RefusedWebsite, refused_lately
from workspace.products.reviews.models import KIND, ReviewPage
from workspace.products.reviews.models.page import QUESTIONS, THANKS
from workspace.products.reviews.models.testimonial import PAGE
from workspace.products.reviews.rows import PageRow, PageWhole, page_line, page_of, page_rows, page_whole, pages_of
from workspace.products.reviews.showing import figures_of
from workspace.products.reviews.snippets import Snippets, snippets
from workspace.products.reviews.tools import Deleted, tools
from workspace.publishing.arguments import Slug
from workspace.publishing.guest_page import VIEW
from workspace.publishing.statistics import statistics
from workspace.toolkit.answer import Answer, Listing, facts, listing
from workspace.toolkit.errors import ToolError
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Limit, Offset

DAYS = 30
WALL, WIDGET = "wall", "widget"  # events beside the view of the page that collects


@tools.tool("svc_reviews_pages", title="List review pages", reads=True)
def list_pages(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[PageRow]]:
    """Your review pages, newest first, with their addresses, how many testimonials wait, and the average of all ratings
    that guests left, shown or not."""
    found = pages_of(account)
    return listing(
        page_rows(found[offset : offset + limit]),
        total=account.review_pages.count(),
        offset=offset,
        noun="review pages",
        line=page_line,
    )


@tools.tool("svc_reviews_page_create", title="Create a review page")
def create_page(
    account: Account,
    title: Title,
    intro: Intro | None = None,
    questions: Questions | None = None,
    consent_text: ConsentText | None = None,
    disclosure: Disclosure | None = None,
    thanks: Thanks | None = None,
    hosts: Hosts | None = None,
    slug: Slug | None = None,
) -> Answer[PageWhole]:
    """Make a page where guests leave a rating, their words and a photo, with a wall and a widget that show what you
    approve. What is left out has a good default. Counts against the plan's number of pages."""
    most = account.limits(KIND).pages
    if most is not None and account.review_pages.count() >= most:
        way_out = account.or_larger(KIND, "delete one")
        raise ToolError(f"Your plan holds {most} review page{'' if most == 1 else 's'}: {way_out}")
    given: dict[str, Any] = {
        "intro": intro,
        "questions": list(QUESTIONS) if questions is None else questions,
        "consent_text": consent_text,
        "disclosure": disclosure,
        "thanks": THANKS if thanks is None else thanks,
        "hosts": _each_once(hosts),
    }
    page = ReviewPage.open(
        account, title=title, slug=slug, **{name: value for name, value in given.items() if value is not None}
    )
    return _told(account, page.pk, f"Created “{escape_markdown(title)}”")


@tools.tool("svc_reviews_page_get", title="Get a review page", reads=True)
def get_page(account: Account, page_id: PageId) -> Answer[PageWhole]:
    """One page with its words, its consent text, the hosts of its widget, its addresses and the tags in use."""
    return _told(account, page_id)


@tools.tool("svc_reviews_page_edit", title="Edit a review page", idempotent=True)
def edit_page(
    account: Account,
    page_id: PageId,
    title: Title | None = None,
    intro: Intro | None = None,
    questions: Questions | None = None,
    consent_text: ConsentText | None = None,
    disclosure: Disclosure | None = None,
    thanks: Thanks | None = None,
    hosts: Hosts | None = None,
    slug: Slug | None = None,
) -> Answer[PageWhole]:
    """Change what is given and nothing else; an empty text or list clears. A new consent text holds for new
    testimonials: each keeps the one that its writer agreed to. Another slug leaves the old one working."""
    page = page_of(account, page_id)
    given: dict[str, Any] = {
        "title": title,
        "intro": intro,
        "questions": questions,
        "consent_text": consent_text,
        "disclosure": disclosure,
        "thanks": thanks,
        "hosts": _each_once(hosts),
    }
    given = {name: value for name, value in given.items() if value is not None}
    if given:
        page.edit(**given)
    if slug is not None and slug.lower() != page.slug:
        page.publication.move(slug)
        page.tell()
    return _told(account, page_id)


@tools.tool("svc_reviews_page_pause", title="Pause a review page", idempotent=True)
def pause_page(account: Account, page_id: PageId) -> Answer[PageWhole]:
    """Close the page, its wall and its widget for a while: guests see a friendly page that names your business."""
    page_of(account, page_id).pause()
    return _told(account, page_id)


@tools.tool("svc_reviews_page_resume", title="Resume a review page", idempotent=True)
def resume_page(account: Account, page_id: PageId) -> Answer[PageWhole]:
    """Open a paused page, its wall and its widget again."""
    page_of(account, page_id).resume()
    return _told(account, page_id)


@tools.tool("svc_reviews_page_delete", title="Delete a review page", destructive=True)
def delete_page(account: Account, page_id: PageId) -> Answer[Deleted]:
    """Delete a page for good, with all its testimonials and photos. Its address is never given to another page. To stop
    it for a while, use svc_reviews_page_pause."""
    page = page_of(account, page_id)
    title = page.title
    page.remove()
    return Answer({"id": page_id, "deleted": True}, f"Deleted “{escape_markdown(title)}” with all its testimonials.")


class DayRow(TypedDict):
    date: str
    views: int


class PageStats(TypedDict):
    page_id: str
    days: int
    views: int
    views_in_days: int
    wall_views: int
    widget_views: int
    received_in_days: int
    shown: int
    received: int
    average: float | None
    ratings: int
    by_day: list[DayRow]


@tools.tool("svc_reviews_page_stats", title="Figures of a review page", reads=True)
def page_stats(
    account: Account,
    page_id: PageId,
    days: Annotated[int, Field(ge=1, le=400, description="How many days back, today included")] = DAYS,
) -> Answer[PageStats]:
    """How often people saw the page, the wall and the widget, how many testimonials came, and how they rated."""
    page = page_of(account, page_id)
    views, wall, widget = (
        statistics(page.publication_id, event, days=days, zone=account.zone) for event in (VIEW, WALL, WIDGET)
    )
    figures = figures_of(page)
    since = datetime.combine(views.by_day[0].date, time.min, account.zone)
    data: PageStats = {
        "page_id": page.pk,
        "days": days,
        "views": views.total,
        "views_in_days": views.total_in_window,
        "wall_views": wall.total,
        "widget_views": widget.total,
        "received_in_days": page.testimonials.filter(source=PAGE, created_at__gte=since).count(),
        "shown": figures.shown,
        "received": figures.received,
        "average": figures.average,
        "ratings": figures.ratings,
        "by_day": [{"date": day.date.isoformat(), "views": day.count} for day in views.by_day],
    }
    pairs = {
        "views of the page": data["views"],
        f"in the last {days} days": data["views_in_days"],
        "views of the wall": data["wall_views"],
        "views of the widget": data["widget_views"],
        "shown": f"{figures.shown} of {figures.received}",
        "average": f"{figures.average_text} of 5 from {figures.ratings} ratings"
        if figures.ratings
        else "no rating yet",
    }
    return Answer(data, facts(f"Figures of “{escape_markdown(page.title)}”", pairs))


class Widget(Snippets):
    page_id: str
    hosts: list[str]
    refused: Annotated[
        list[RefusedWebsite], Field(description="Websites that tried to show it in the last 30 days and may not")
    ]


@tools.tool("svc_reviews_widget", title="The widget's code", reads=True)
def widget(account: Account, page_id: PageId) -> Answer[Widget]:
    """The HTML that puts a page's testimonials on a website: with a script that fits the height, as a plain frame
    without script, and as a link. Only the page's hosts may show it: set them with svc_reviews_page_edit."""
    page = page_of(account, page_id)
    found = snippets(page)
    hosts = ", ".join(page.hosts) or "none yet: give the page's hosts first"
    refused = refused_lately(page)
    lines = [f"Websites that may show it: {hosts}."]
    if refused:
        tried = ", ".join(f"{escape_markdown(one['host'])} ({one['times']} times)" for one in refused)
        lines.append(f"These tried in the last 30 days and may not: {tried}. Give those of yours as hosts.")
    lines += [f"```html\n{found[name]}\n```" for name in ("script", "iframe", "link")]
    data: Widget = {"page_id": page.pk, "hosts": page.hosts, "refused": refused, **found}
    return Answer(data, "\n\n".join(lines))


def _each_once(hosts: list[str] | None) -> list[str] | None:
    return None if hosts is None else list(dict.fromkeys(hosts))


def _told(account: Account, page_id: str, title: str = "") -> Answer[PageWhole]:
    data = page_whole(account, page_id)
    pairs = {
        "id": data["id"],
        "page": data["public_url"],
        "wall": data["wall_url"],
        "code": data["svg_url"],
        "state": data["state"],
        "testimonials": f"{data['testimonials']}, {data['pending']} pending",
        "average": f"{data['average']} of 5 from {data['ratings']} ratings" if data["average"] else "",
        "websites with the widget": ", ".join(data["hosts"]),
    }
    return Answer(data, facts(title or escape_markdown(data["title"]), pairs))
