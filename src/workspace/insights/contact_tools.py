"""The tool that lists everyone who left contact details in any product."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import merge
from itertools import islice
from typing import Annotated, Any

from django.conf import settings
from django.db.models import CharField, QuerySet, Value
from pydantic import Field

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.lib.text import escape_markdown
from workspace.publishing import items
from workspace.publishing.shared_item_arguments import parse_local_time
from workspace.publishing.submissions import ContactFields, SubmissionSource, contact_fields, format_contact
from workspace.tools.answer import Answer, Listing, listing_answer
from workspace.tools.argument_types import AnyItem, Limit, MomentText, Offset

From = Annotated[MomentText, Field(description="Only leads since this date or time, such as 2026-12-01.")]
OneItem = Annotated[AnyItem, Field(description="Only leads of this item: ID, slug or public URL.")]


class ContactData(ContactFields):
    id: str
    kind: str
    name: str
    at: str
    thing_id: str
    thing: Annotated[str, Field(description="Title of the item that collected the contact.")]
    page: Annotated[str, Field(description="Page in the dashboard.")]


@box.tool(
    "svc_leads",
    title="List leads from all products",
    about="List all leads (contacts) that your pages collected, newest first, with contact details, message and "
    "source.",
    short="List leads that all your pages collected, newest first.",
    synonyms="prospects, contact list, inquiries, customer list, people who contacted, kontakte, interessenten, "
    "anfragen, kundenliste, contactos, clientes potenciales, prospectos, consultas, all contacts, "
    "everyone who left details, newsletter list, alle kontakte, todos los contactos",
    reads=True,
    area=SHARED,
    columns="name email phone thing at",
)
def list_leads(
    account: Account,
    from_: From | None = None,
    thing: OneItem | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[ContactData]]:
    found = _find_sources(account, from_, thing)
    rows = _page_keys(found, offset, limit)
    total = sum(left.count() for _, left in found)
    return listing_answer(
        _load_contacts(account, found, rows), total=total, offset=offset, noun="contacts", line=_format_contact
    )


def _find_sources(
    account: Account, from_: str | None, item_id: str | None
) -> list[tuple[SubmissionSource, QuerySet[Any]]]:
    only = items.get_item(account, item_id) if item_id is not None else None
    found = []
    for product, arrivals in items.list_submission_sources():
        if not arrivals.is_contact or (only is not None and only.kind != product.key):
            continue
        left = arrivals.list_rows(account)
        if only is not None:
            left = left.filter(**{f"{arrivals.item_column}_id": only.id})
        if from_:
            left = left.filter(created_at__gte=parse_local_time(from_, account.zone))
        found.append((arrivals, left))
    return found


def _page_keys(sources: list[tuple[SubmissionSource, QuerySet[Any]]], offset: int, limit: int) -> list[tuple[str, str]]:
    """Return the kind and id of the submissions of one page, newest first.

    Each kind is read in its own order, because the database would sort a combined query.
    """
    each = [
        left.annotate(kind=Value(arrivals.kind, CharField()))
        .order_by("-created_at", "-id")
        .values_list("created_at", "id", "kind")[: offset + limit]
        for arrivals, left in sources
    ]
    newest = islice(merge(*each, reverse=True), offset, offset + limit)
    return [(kind, id) for _, id, kind in newest]


def _load_contacts(
    account: Account, sources: list[tuple[SubmissionSource, QuerySet[Any]]], rows: list[tuple[str, str]]
) -> list[ContactData]:
    left = {
        (arrivals.kind, one["id"]): one
        for arrivals, all_of_it in sources
        for one in arrivals.serialize(
            list(all_of_it.model._default_manager.filter(pk__in=_ids_of_kind(rows, arrivals.kind)).order_by())
        )
    }
    known = items.get_items(account, {one["thing_id"] for one in left.values()})
    contacts: list[ContactData] = []
    for key in rows:
        one = left.get(key)
        if one is None or one["thing_id"] not in known:
            continue  # it has just been erased
        row: ContactData = {
            **contact_fields(one),
            "id": one["id"],
            "kind": key[0],
            "name": one["name"],
            "at": one["at"],
            "thing_id": one["thing_id"],
            "thing": known[one["thing_id"]].title,
            "page": settings.BASE_URL + one["page"],
        }
        contacts.append(row)
    return contacts


def _ids_of_kind(rows: Iterable[tuple[str, str]], kind: str) -> list[str]:
    return [id for of_kind, id in rows if of_kind == kind]


def _format_contact(row: ContactData) -> str:
    where = f"with {escape_markdown(row['thing'])} (`{row['thing_id']}`) at {row['at']}"
    texts = [f"**{escape_markdown(row['name'])}** ({row['kind']})", *format_contact(row), where]
    return f"{', '.join(texts)}, {row['page']} `{row['id']}`"
