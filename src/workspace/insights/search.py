"""Search over all items of an account, and over people who left their details with them.

An item is indexed by the fields in `search_fields` of its product's manifest and by its slugs. All search terms must
match, anywhere within a word, so that scripts without spaces work as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from typing import Any

from django.db.models import (
    Case,
    CharField,
    IntegerField,
    Max,
    Model,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
    prefetch_related_objects,
)
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts import permissions
from workspace.accounts.models import Account
from workspace.lib.text import search_key
from workspace.publishing import items
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import Publication, SearchDocument
from workspace.publishing.models.search_document import MAX_TITLE_LENGTH, MAX_WORDS_LENGTH, write_documents
from workspace.publishing.serializers import list_slugs, with_public_state
from workspace.publishing.submissions import SubmissionSource
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import write_transaction

HELP_KIND = "help"  # the kind of help articles, which belong to no account
MAX_TERMS = 8
_article_finders: list[Callable[[str], list[tuple[str, str, str]]]] = []
_BATCH_SIZE = 200


def register(product: Manifest) -> None:
    """Register a product for the index. Raise FieldDoesNotExist for an unknown name in `search_fields`."""
    SearchDocument.columns[product.key] = _list_columns(product)
    SearchDocument.builders[product.key] = partial(_build_documents, product)


def _list_columns(product: Manifest) -> frozenset[tuple[str, str]]:
    """Return the columns that a product's documents depend on, as model label and field.

    Any string of an item may be part of its title.
    """
    columns = {(Publication._meta.label_lower, "deleted_at")}
    for item in product.models:
        texts = [field.name for field in item._meta.concrete_fields if isinstance(field, (CharField, TextField))]
        columns |= {(item._meta.label_lower, name) for name in ("slug", "binned_at", *texts)}
    for name in product.search_fields:
        model: Any = product.models[0]
        for part in name.split(LOOKUP_SEP):
            columns |= {(model._meta.label_lower, name) for name in (part, "binned_at")}
            model = model._meta.get_field(part).related_model
    return frozenset(columns)


def list_kinds() -> list[str]:
    """Return all searchable kinds: items, submissions and people on lists."""
    return [
        *permissions.permitted_products(SearchDocument.builders),
        *(arrivals.kind for _, arrivals in items.list_submission_sources()),
        *(one.kind for one in items.list_people_sources()),
    ]


def register_articles(find: Callable[[str], list[tuple[str, str, str]]]) -> None:
    """Register the search for help articles. It returns names, titles and URLs."""
    _article_finders[:] = [find]


def find_articles(text: str) -> list[tuple[str, str, str]]:
    return [one for find in _article_finders for one in find(text)]


def split_terms(text: str) -> list[str]:
    """Return the terms of a query, which must all match."""
    return search_key(text).split()[:MAX_TERMS]


class SortOrder(Enum):
    """The order of items: by name, by latest change, or by fit.

    `FIT`: titles that start with the query come first, then titles that contain it, then others."""

    FIT = "fit"
    NAME = "name"
    CHANGED = "changed"


def search_items(
    account: Account, text: str, kinds: Sequence[str], sort: str = "fit", *, limit: int, offset: int = 0
) -> tuple[list[str], int]:
    """Return a page of ids of items of these kinds that match all terms, and the total."""
    if not kinds:
        return [], 0
    terms, order = split_terms(text), SortOrder(sort)
    begin = " ".join(terms) if order is SortOrder.FIT else None
    # a single kind as an equality, so that the index returns rows in order
    chosen: Any = kinds[0] if len(kinds) == 1 else list(kinds)
    return _matching_items.fetch_page(limit, offset, account, chosen, order, begin, *terms)


@compile_once
def _matching_items(
    account: Account, kinds: str | list[str], sort: SortOrder, begin: str | None, *terms: str
) -> QuerySet[SearchDocument, str]:
    chosen = Q(kind=kinds) if isinstance(kinds, str) else Q(kind__in=kinds)
    rows = SearchDocument.objects.filter(chosen, account=account).values_list("item_id", flat=True)
    in_title = Q()
    for term in terms:
        rows = rows.filter(text__contains=term)
        in_title &= Q(title__contains=term)
    if sort is not SortOrder.FIT:
        return rows.order_by(*(("title", "item_id") if sort is SortOrder.NAME else ("-changed_at", "-item_id")))
    begun = Q(title__startswith=begin)
    rank = Case(
        When(begun, then=Value(0)), When(in_title, then=Value(1)), default=Value(2), output_field=IntegerField()
    )
    return rows.order_by(rank, "title", "item_id")


@compile_once
def matching_submissions(source: SubmissionSource, account: Account, limited: bool, *terms: str) -> QuerySet[Any]:
    """Return submissions that match all terms, newest first."""
    rows = source.select_rows(account, limited=limited)
    for term in terms:
        rows = rows.filter(search__contains=term)
    newest: QuerySet[Any] = rows.order_by("-created_at", "-pk")
    return newest


def is_index_missing() -> bool:
    """Return whether the index is empty although something is published."""
    return not SearchDocument.objects.exists() and Publication.objects.filter(deleted_at=None).exists()


def rebuild_index() -> int:
    """Rebuild the index. Return the number of indexed items."""
    last = ""
    while some := list(Publication.objects.filter(pk__gt=last).order_by("pk").values_list("pk", "kind")[:_BATCH_SIZE]):
        with write_transaction():  # in batches, so that others can write in between
            write_documents(some)
        last, _ = some[-1]
    return SearchDocument.objects.count()


def _build_documents(product: Manifest, publications: Sequence[str], new_rows: Sequence[Model]) -> list[SearchDocument]:
    parts = {name.rpartition(LOOKUP_SEP)[0] for name in product.search_fields} - {""}
    made = []
    for model in product.models:
        rows: list[Any] = [row for row in new_rows if isinstance(row, model) and row.publication_id in publications]
        if others := set(publications) - {row.publication_id for row in rows}:
            rows += with_public_state(model._default_manager.filter(publication_id__in=others))
        rows = [row for row in rows if row.publication.account_id]
        prefetch_related_objects(rows, *sorted(parts))
        prefetch_related_objects([row for row in rows if row.publication.has_moved], "publication__addresses")
        made += [_build_document(product, row) for row in rows]
    return made


def _build_document(product: Manifest, row: Any) -> SearchDocument:
    title = search_key(str(row))
    texts = [text for name in product.search_fields for text in _collect_texts(row, name.split(LOOKUP_SEP))]
    return SearchDocument(
        publication_id=row.publication_id,
        account_id=row.publication.account_id,
        kind=product.key,
        item_id=row.pk,
        title=title[:MAX_TITLE_LENGTH],
        text="\n".join([title, *list_slugs(row), *map(search_key, dict.fromkeys(texts))])[:MAX_WORDS_LENGTH],
        changed_at=row.updated_at,
    )


def _collect_texts(value: Any, path: Sequence[str]) -> Iterator[str]:
    """Yield the strings at the end of a path, following all branches, including strings in lists and objects."""
    if path:
        value = getattr(value, path[0])
        rows = value.all() if hasattr(value, "all") else [value]
        for row in rows:
            yield from _collect_texts(row, path[1:])
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        # PostgreSQL returns the keys of objects in another order
        for part in [value[key] for key in sorted(value)] if isinstance(value, dict) else value:
            yield from _collect_texts(part, ())


def find_newest_items(account: Account) -> dict[str, str]:
    """Return the newest item's id for each kind. It is the highest id, because ids are sorted by time."""
    return dict(_newest_ids.fetch(account))


@compile_once
def _newest_ids(account: Account) -> QuerySet[Any, Any]:
    newest: QuerySet[Any, Any] = (
        SearchDocument.objects.filter(account=account).order_by().values_list("kind").annotate(Max("item_id"))
    )
    return newest
