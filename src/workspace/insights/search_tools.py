"""The tool that searches items and submissions of an account."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

from django.conf import settings
from pydantic import Field

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.insights import messages, search
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.publishing import items
from workspace.publishing.items import Item
from workspace.publishing.submissions import (
    ContactFields,
    PeopleSource,
    Submission,
    SubmissionSource,
    contact_fields,
    format_contact,
)
from workspace.tools.answer import Answer, Listing, listing_answer
from workspace.tools.argument_types import Limit, Line, Offset

Question = Annotated[
    str,
    Line(200, least=0),
    Field(description="Words that must all match, or an ID, slug or public URL. An empty string returns all items."),
]
Sort = Annotated[
    Literal["fit", "name", "changed"],
    Field(description="Order of the items: fit (best match), title or last change. Defaults to fit."),
]
Kinds = Annotated[
    list[Annotated[str, Field(max_length=12)]],
    Field(
        min_length=1,
        max_length=50,
        description=(
            "Result kinds, such as card, lead, testimonial or help. Product keys limit items to those products. "
            "Defaults to all."
        ),
    ),
]


class SearchResult(ContactFields):
    """A result of the search.

    An item has its address and state. A submission has the item that it was submitted through.
    """

    id: str
    kind: str
    noun: str
    title: str
    page: Annotated[str, Field(description="Page in the dashboard.")]
    public_url: NotRequired[str]
    state: NotRequired[str]
    at: NotRequired[str]
    thing_id: NotRequired[str]


@box.tool(
    "svc_search",
    title="Search the account",
    about="Search items of all products, leads and testimonials. For example, the name of a dish finds its menu. "
    "Case and accents are ignored. Items come first, with title matches at the top, followed by the newest leads and "
    "testimonials.",
    short="Search items, leads and testimonials of all products.",
    synonyms="find, look up, look for, where is, lookup, suchen, finden, wo ist, buscar, encontrar, dónde está",
    reads=True,
    area=SHARED,
    columns="title noun state id",
)
def search_account(
    account: Account,
    q: Question,
    kinds: Kinds | None = None,
    sort: Sort = "fit",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[SearchResult]]:
    wanted = _check_kinds(kinds)
    rows = [_item_result(one) for one in items.find_by_address(account, q) if one.kind in wanted] if q else []
    if rows:
        return listing_answer(
            rows[offset : offset + limit], total=len(rows), offset=offset, noun="results", line=_format_result
        )
    order = sort if q or sort != "fit" else "name"
    ids, total = search.search_items(account, q, wanted, order, limit=limit, offset=offset)
    rows = _item_results(account, ids)
    for _, arrivals in items.list_submission_sources() if q else ():
        if arrivals.kind in wanted:
            some = limit - len(rows), max(0, offset - total)
            limited, terms = arrivals.is_limited(account), search.split_terms(q)
            left, count = search.matching_submissions.fetch_page(*some, arrivals, account, limited, *terms)
            rows += _submission_results(arrivals, arrivals.serialize(left))
            total += count
    for people in items.list_people_sources() if q else ():
        if people.kind in wanted:
            known = people.search(account, search.split_terms(q))
            start = max(0, offset - total)
            rows += _submission_results(people, known[start : start + limit - len(rows)])
            total += len(known)
    if search.HELP_KIND in (kinds or ()):
        about = [_article_result(*one) for one in search.find_articles(q)]
        start = max(0, offset - total)
        rows += about[start : start + limit - len(rows)]
        total += len(about)
    return listing_answer(rows, total=total, offset=offset, noun="results", line=_format_result)


def _check_kinds(kinds: list[str] | None) -> list[str]:
    known = search.list_kinds()
    wrong = [
        (f"kinds.{number}", messages.UNKNOWN_KIND(known=", ".join([*known, search.HELP_KIND])))
        for number, kind in enumerate(kinds or [])
        if kind not in known and kind != search.HELP_KIND
    ]
    if wrong:
        raise InvalidInputError.from_pairs(wrong)
    return known if kinds is None else [kind for kind in kinds if kind != search.HELP_KIND]


def _article_result(name: str, title: str, url: str) -> SearchResult:
    page = settings.BASE_URL + url
    return {"id": name, "kind": search.HELP_KIND, "noun": "article", "title": title, "page": page, "public_url": page}


def _item_results(account: Account, ids: list[str]) -> list[SearchResult]:
    known = items.get_items(account, ids)
    return [_item_result(known[id]) for id in ids if id in known]


def _item_result(item: Item) -> SearchResult:
    return {
        "id": item.id,
        "kind": item.kind,
        "noun": item.noun,
        "title": item.title,
        "page": item.page,
        "public_url": item.public_url,
        "state": item.state.value,
    }


def _submission_results(of: SubmissionSource | PeopleSource, submissions: Sequence[Submission]) -> list[SearchResult]:
    rows: list[SearchResult] = []
    for one in submissions:
        row: SearchResult = {
            **contact_fields(one),
            "id": one["id"],
            "kind": of.kind,
            "noun": of.noun,
            "title": one["name"],
            "page": settings.BASE_URL + one["page"],
            "thing_id": one["thing_id"],
        }
        if one["at"]:
            row["at"] = one["at"]
        rows.append(row)
    return rows


def _format_result(row: SearchResult) -> str:
    texts = [f"**{escape_markdown(row['title'])}** ({row['noun']})", row.get("public_url", ""), *format_contact(row)]
    texts.append(row.get("state", ""))
    if "thing_id" in row:
        texts.append(f"with `{row['thing_id']}`" + (f" at {row['at']}" if "at" in row else ""))
    return f"{', '.join(part for part in texts if part)}, {row['page']} `{row['id']}`"
