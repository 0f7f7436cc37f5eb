"""What the rows of all published things have in common, and finding one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from typing_extensions import TypedDict

from workspace.publishing.models import Published
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound

Thing = TypeVar("Thing", bound=Published)
Row = TypeVar("Row", bound=Model)


class PublishedRow(TypedDict):
    id: str
    public_url: str
    slug: str
    state: str
    expires_at: str | None
    has_password: bool
    created_at: str | None
    updated_at: str | None


class Addresses(TypedDict):
    """Where else it is found: the files of its QR code, and all its slugs, the current one first."""

    svg_url: str
    png_url: str
    slugs: list[str]


class Named(TypedDict):
    id: str
    title: str


class DeletedAll(TypedDict):
    deleted: list[Named]


def shown(found: QuerySet[Thing]) -> QuerySet[Thing]:
    """With all that a row needs of what is published, by the same query."""
    return found.select_related("publication")


def one(found: QuerySet[Row], id: str, missing: str) -> Row:
    """The row of an id. Raises NotFound, which says that it is `missing`, also where it is another account's: `found`
    holds what the caller may reach."""
    row = found.filter(pk=id).first()
    if row is None:
        raise NotFound(missing)
    return row


def several(ids: Sequence[str], missing: str, *found: QuerySet[Any]) -> list[Any]:
    """The rows of ids, each once and in their order, by a query for each of `found`. Raises NotFound as `one` does."""
    rows = {row.pk: row for some in found for row in some.filter(pk__in=ids)}
    for number, id in enumerate(ids):
        if id not in rows:
            raise NotFound(missing if len(ids) == 1 else f"ids.{number}: {missing}")
    return [rows[id] for id in dict.fromkeys(ids)]


def published_row(thing: Published) -> PublishedRow:
    return {
        "id": thing.pk,
        "public_url": thing.public_url,
        "slug": thing.slug,
        "state": thing.publication.state.value,
        "expires_at": clock.iso(thing.publication.expires_at),
        "has_password": bool(thing.publication.password),
        "created_at": clock.iso(thing.created_at),
        "updated_at": clock.iso(thing.updated_at),
    }


def public_facts(found: PublishedRow) -> dict[str, Any]:
    """The same in words, for the text of an answer."""
    return {
        "id": found["id"],
        "public link": found["public_url"],
        "slug": found["slug"],
        "state": found["state"],
        "expires": found["expires_at"],
        "password": "asked for" if found["has_password"] else "",
        "made": found["created_at"],
        "changed": found["updated_at"],
    }


def addresses_of(thing: Published) -> Addresses:
    """A query of its own, unless `publication__addresses` is prefetched."""
    addresses: list[Any] = sorted(thing.publication.addresses.all(), key=lambda address: -address.pk)
    return {
        "svg_url": f"{thing.public_url}.svg",
        "png_url": f"{thing.public_url}.png",
        "slugs": [address.slug for address in addresses],
    }
