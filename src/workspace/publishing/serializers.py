"""Common parts of the serializers of all products, and functions that look up rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar, cast

from django.db.models import Model, QuerySet
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.lib.messages import Message
from workspace.publishing.models import Address, PublishedItem
from workspace.publishing.models.publication import compute_state
from workspace.publishing.public_urls import public_url
from workspace.storage.database.compiled_query import CompiledQuery, parameter

Item = TypeVar("Item", bound=PublishedItem)
Row = TypeVar("Row", bound=Model)
Shape = TypeVar("Shape")


class ItemSummary(TypedDict):
    id: str
    public_url: str
    slug: str
    state: str
    expires_at: str | None
    has_password: bool
    created_at: str | None
    updated_at: str | None


class ItemUrls(TypedDict):
    """Other URLs of an item: its QR code files, and all of its slugs, current one first."""

    svg_url: str
    png_url: str
    slugs: list[str]


class ItemName(TypedDict):
    id: str
    title: str


class DeletedItems(TypedDict):
    deleted: list[ItemName]


def build_row(shape: type[Shape], source: object, values: Mapping[str, Any]) -> Shape:
    """Return the data of a TypedDict: the given values and, for its other members, the attributes of `source`.

    An answer can therefore show a stored column with just one line in the TypedDict. Raise KeyError for a
    value that the TypedDict does not have, and AttributeError for a member that is neither given nor an attribute.
    """
    members = shape.__annotations__
    if unknown := values.keys() - members.keys():
        raise KeyError(f"{shape.__name__} has no {', '.join(sorted(unknown))}")
    return cast(Shape, {name: values[name] if name in values else getattr(source, name) for name in members})


def with_public_state(rows: QuerySet[Item]) -> QuerySet[Item]:
    """Load the publication in the same query."""
    return rows.select_related("publication")


def get_or_404(queryset: QuerySet[Row], id: str, missing: str | Message) -> Row:
    """Return the row with an id.

    `queryset` contains the rows that the caller may access. Raise NotFoundError with the message `missing`, even if
    another account has the row.
    """
    rows = list(queryset.filter(pk=id).order_by()) if id.isprintable() else []  # PostgreSQL rejects NUL characters
    if not rows:
        raise NotFoundError(missing)
    return rows[0]


def get_many_or_404(
    ids: Sequence[str], missing: str | Message, *queryset: QuerySet[Any], paths: Sequence[str] = ()
) -> list[Any]:
    """Return the rows with these ids in order and without duplicates, with one query for each `queryset`.

    Raise NotFoundError as `get_or_404` does, with the path of the id, which is taken from `paths` or else is its place
    in the list `ids`.
    """
    rows = {row.pk: row for some in queryset for row in some.filter(pk__in=ids)}
    for number, id in enumerate(ids):
        if id not in rows:
            at = paths[number] if paths else f"ids.{number}" if len(ids) > 1 else ""
            raise NotFoundError(f"{at}: {missing}" if at else missing)
    return [rows[id] for id in dict.fromkeys(ids)]


# The arguments of `build_item_summary`, in order, for `values_list`.
_PUBLICATION_COLUMNS = ("account_id", "slug", "password", "paused_at", "expires_at", "banned_at", "deleted_at")
SUMMARY_COLUMNS = ("pk", "created_at", "updated_at", *(f"publication__{name}" for name in _PUBLICATION_COLUMNS))
SUMMARY_COLUMN_COUNT = len(SUMMARY_COLUMNS)


def build_item_summary(
    kind: str,
    id: str,
    created_at: datetime,
    updated_at: datetime,
    account_id: str | None,
    slug: str,
    password: str,
    *until: datetime | None,
) -> ItemSummary:
    """Build the summary of an item from column values, because lists do not create models."""
    return {
        "id": id,
        "public_url": public_url(account_id, kind, slug),
        "slug": slug,
        "state": compute_state(*until).value,
        "expires_at": clock.to_iso(until[1]),
        "has_password": bool(password),
        "created_at": clock.to_iso(created_at),
        "updated_at": clock.to_iso(updated_at),
    }


def item_summary(item: PublishedItem) -> ItemSummary:
    """Return the summary of a model instance."""
    own = (getattr(item.publication, name) for name in _PUBLICATION_COLUMNS)
    return build_item_summary(item.kind, item.pk, item.created_at, item.updated_at, *own)


def public_facts(summary: ItemSummary) -> dict[str, Any]:
    """Return the summary as labeled facts, for the text of an answer."""
    return {
        "id": summary["id"],
        "public link": summary["public_url"],
        "slug": summary["slug"],
        "state": summary["state"],
        "expires": summary["expires_at"],
        "password": "required" if summary["has_password"] else "",
        "created": summary["created_at"],
        "updated": summary["updated_at"],
    }


def item_urls(item: PublishedItem) -> ItemUrls:
    """Return additional URLs. If `publication__addresses` is not prefetched, run a query."""
    return {"svg_url": f"{item.public_url}.svg", "png_url": f"{item.public_url}.png", "slugs": list_slugs(item)}


def list_slugs(item: PublishedItem) -> list[str]:
    """Return all slugs, current one first."""
    publication = item.publication
    if not publication.has_moved:
        return [publication.slug]
    if "addresses" in getattr(publication, "_prefetched_objects_cache", ()):
        addresses: list[Any] = sorted(publication.addresses.all(), key=lambda address: -address.pk)
        return [address.slug for address in addresses]
    return [slug for (slug,) in _SLUGS_QUERY.fetch_rows(publication=publication.pk)]


_SLUGS_QUERY = CompiledQuery(
    lambda: Address.objects.filter(publication_id=parameter("publication")).order_by("-pk").values_list("slug")
)
