"""Looking up published items of all products by id, slug or public URL.

get_item(account, "summer-menu")  # Item(kind="menu", id="menu_01…", title="Corner Café", public_url="https://…", …)

Products register their manifests here, so that callers need not import a product.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db.models import Model, QuerySet

from workspace.accounts import permissions
from workspace.accounts.models import Account
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.publishing import messages
from workspace.publishing.checkin import CheckinAction, CheckinSource
from workspace.publishing.guest_language import DEFAULT_CALL
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import Address, State
from workspace.publishing.public_urls import parse_own_path, public_url
from workspace.publishing.serializers import with_public_state
from workspace.publishing.submissions import PeopleSource, SubmissionSource
from workspace.publishing.today import TodaySource
from workspace.storage.database.compiled_function import compile_once
from workspace.tools.tool import Tool

_PUBLIC = re.compile(r"/([A-Za-z]+)/([A-Za-z0-9-]{1,50})(?![A-Za-z0-9_-])")
_OWNERS = re.compile(r"/app/([a-z]+)/([a-z]+_[a-z0-9]+)(?![a-z0-9_])")
_ID = re.compile(r"([a-z]+)_[a-z0-9]+")
_SLUG = re.compile(r"[A-Za-z0-9-]{1,50}")


@dataclass(frozen=True, slots=True)
class Item:
    """A published item of any product.

    - `kind`: the key of its product.
    - `noun`: its name in a sentence.
    - `page`: its page for the owner.
    - `code_style`: the style of its QR code; empty for the brand's.
    - `public_url`: empty for an item without a public address.
    - `symbol_text`: the content of its QR code.
    """

    kind: str
    id: str
    title: str
    public_url: str
    page: str
    publication_id: str
    state: State
    code_style: Mapping[str, Any]
    # Lazy: the noun may depend on the content, and the symbol's text may be encrypted.
    get_noun: Callable[[], str] = field(repr=False, compare=False)
    get_call: Callable[[], str] = field(repr=False, compare=False)
    get_symbol_text: Callable[[], str] = field(repr=False, compare=False)

    @property
    def noun(self) -> str:
        return self.get_noun()

    @property
    def call_to_action(self) -> str:
        """The untranslated call to action for print and buttons."""
        return self.get_call()

    @property
    def symbol_text(self) -> str:
        return self.get_symbol_text()


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to an item: an id or a slug. `kind` is empty if the reference does not name the product."""

    kind: str
    id: str = ""
    slug: str = ""


_manifests: dict[str, Manifest] = {}
_models: dict[str, tuple[Manifest, type[Model]]] = {}  # by the prefix of their ids


def register(product: Manifest) -> None:
    _manifests[product.key] = product
    for model in product.models:
        _models[model._meta.pk.get_default().partition("_")[0]] = product, model


def list_manifests() -> list[Manifest]:
    """Return the manifests that the caller may access (see `accounts/permissions.py`), in display order."""
    return [product for product in _manifests.values() if permissions.is_permitted(product.key)]


def get_manifest(kind: str) -> Manifest:
    return _manifests[kind]


def product_at_url(url: str) -> str:
    """Return the key of the product with this home page, or ""."""
    return next((product.key for product in _manifests.values() if product.home == url), "")


def has_calendar_products() -> bool:
    """Return whether any permitted product has dates that belong in the owner's calendars."""
    return any(product.uses_calendar for product in list_manifests())


def list_submission_sources() -> list[tuple[Manifest, SubmissionSource]]:
    """Return the kinds of submissions of all products, together with the products."""
    return [(product, one) for product in list_manifests() for one in product.submissions]


def list_people_sources() -> list[PeopleSource]:
    """Return the lists of people that owners manage."""
    return [one for product in list_manifests() for one in product.people]


def find_action(
    sources: Iterable[tuple[Manifest, CheckinSource | TodaySource]], kind: str, name: str
) -> CheckinAction | None:
    """Return the action with this name that the product of this kind offers in one of the sources, or None."""
    return next(
        (act for product, source in sources if product.key == kind for act in source.actions if act.name == name), None
    )


def get_item(account: Account, text: str) -> Item:
    """Return the account's item with this ID, slug or URL.

    Raise NotFoundError if there is none, and OperationNotAllowedError if several items have the slug.
    """
    named = parse_reference(text)
    found = [one for one in _find_items(account, named) if permissions.is_permitted(one.kind)] if named else []
    if not found:
        raise NotFoundError(messages.ITEM_NOT_FOUND)
    if len(found) > 1:
        raise OperationNotAllowedError(messages.SLUG_AMBIGUOUS(items="; ".join(_describe_item(one) for one in found)))
    return found[0]


def get_items(account: Account, ids: Iterable[str]) -> dict[str, Item]:
    """Return the existing items, keyed by id. Run two queries per kind."""
    wanted: dict[str, list[str]] = {}
    for id in ids:
        wanted.setdefault(id.partition("_")[0], []).append(id)
    return {
        found.id: found
        for prefix, some in wanted.items()
        if prefix in _models
        for found in _build_items(_models[prefix][0], _rows_of_account.fetch_by_ids(some, _models[prefix][1], account))
    }


def items_by_publication(account: Account, publications: Iterable[tuple[str, str]]) -> dict[str, Item]:
    """Return the items of publications given as (kind, id), keyed by publication id."""
    wanted: dict[str, list[str]] = {}
    for kind, id in publications:
        wanted.setdefault(kind, []).append(id)
    return {
        found.publication_id: found
        for kind, ids in wanted.items()
        if kind in _manifests
        for model in _manifests[kind].models
        for found in _build_items(_manifests[kind], _rows_by_publication.fetch(model, account, ids))
    }


def items_for(account: Account, limit: int = 20) -> list[Item]:
    """Return the account's items that have a public address, oldest first."""
    rows = (
        account.publications.filter(deleted_at=None, slug__gt="")
        .order_by("created_at", "pk")
        .values_list("kind", "pk")[:limit]
    )
    found = items_by_publication(account, rows)
    return [found[id] for _, id in rows if id in found]


def find_by_address(account: Account, text: str) -> list[Item]:
    """Return the items that an id or a URL refers to. A mere slug, like any other word, matches nothing."""
    named = parse_reference(text)
    found = _find_items(account, named) if named and (named.id or named.kind) else []
    return [one for one in found if permissions.is_permitted(one.kind)]


def resolve_reference(account: Account, tool: Tool[Any], text: str, own: bool) -> str:
    """Return the id of the item to which a slug or URL refers, or the text itself if it refers to none.

    With `own`, only items of the tool's product are allowed. If the text refers to another item, raise NotFoundError,
    which names it.
    """
    if not own:
        named = parse_reference(text)
        return named.id if named and named.id else get_item(account, text).id
    expected = _manifests.get(tool.product)
    named = parse_reference(text) if expected else None
    if expected is None or named is None:
        return text
    if named.kind and named.kind != expected.key:
        raise NotFoundError(
            messages.OTHER_PRODUCT(
                item=with_article(_manifests[named.kind].noun), tool=tool.name, expected=with_article(expected.noun)
            )
        )
    if named.id:
        return named.id
    if found := _find_items(account, Reference(expected.key, slug=named.slug)):
        return found[0].id
    others = (
        [one for one in _find_items(account, named) if permissions.is_permitted(one.kind)] if not named.kind else []
    )
    if others:
        raise NotFoundError(
            messages.OTHER_PRODUCT(item=_describe_item(others[0]), tool=tool.name, expected=with_article(expected.noun))
        )
    return text


def parse_reference(text: str) -> Reference | None:
    """Parse an id, a slug or a URL of this service. Return None for any other text."""
    if found := _ID.fullmatch(text):
        known = _models.get(found[1])
        return Reference(known[0].key if known else "", id=text)
    if _SLUG.fullmatch(text):
        return Reference("", slug=text.lower())
    path = parse_own_path(_complete_url(text))
    if path is None:
        return None
    if found := _OWNERS.match(path):
        word, id = found.groups()
        keys = [product.key for product in _manifests.values() if product.slug == word]
        return Reference(keys[0], id=id) if keys else None
    if found := _PUBLIC.match(path):
        prefix, slug = found.groups()
        keys = [one.key for one in _manifests.values() if one.public_prefix.strip("/") == prefix.lower()]
        return Reference(keys[0], slug=slug.lower()) if keys else None
    return None


def with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _complete_url(text: str) -> str:
    """Complete a URL that a person entered with the scheme of this service.

    QR codes printed before the service had a certificate still belong to it.
    """
    if text.startswith("/"):
        return settings.BASE_URL + text
    scheme, has_scheme, rest = text.partition("://")
    if has_scheme and scheme.lower() not in ("http", "https"):
        return ""
    return f"{settings.BASE_URL.partition('://')[0]}://{rest if has_scheme else text}"


def _find_items(account: Account, references: Reference) -> list[Item]:
    if references.id:
        known = _models.get(references.id.partition("_")[0])
        return (
            _build_items(known[0], _rows_of_account.fetch_by_ids([references.id], known[1], account)) if known else []
        )
    kinds = [references.kind] if references.kind else Address.list_kinds_at(account, references.slug, _manifests)
    return [
        found
        for kind in kinds
        if kind in _manifests
        for model in _manifests[kind].models
        for found in _build_items(_manifests[kind], _rows_by_slug.fetch(model, account, kind, references.slug))
    ]


@compile_once
def _rows_of_account(model: type[Model], account: Account) -> QuerySet[Any]:
    rows: QuerySet[Any] = model._default_manager.filter(account=account)
    return with_public_state(rows.order_by())


@compile_once
def _rows_by_publication(model: type[Model], account: Account, ids: list[str]) -> QuerySet[Any]:
    return _rows_of_account(model, account).filter(publication_id__in=ids)


@compile_once
def _rows_by_slug(model: type[Model], account: Account, kind: str, slug: str) -> QuerySet[Any]:
    return _rows_of_account(model, account).filter(publication__addresses__kind=kind, publication__addresses__slug=slug)


def _build_items(product: Manifest, rows: Iterable[Any]) -> list[Item]:
    return [_build_item(product, row) for row in rows]


def _build_item(product: Manifest, row: Any) -> Item:
    publication = row.publication
    return Item(
        kind=product.key,
        id=row.pk,
        get_noun=lambda: str(getattr(row, "noun", product.noun)),
        title=str(row),
        public_url=public_url(publication.account_id, product.key, publication.slug),
        page=f"{settings.BASE_URL}{product.home}/{row.pk}",
        publication_id=publication.pk,
        state=publication.state,
        code_style=publication.code_style,
        get_call=lambda: str(getattr(row, "call_to_action", DEFAULT_CALL)),
        get_symbol_text=lambda: str(row.symbol_text),
    )


def _describe_item(item: Item) -> str:
    return f"{with_article(item.noun)}, {escape_markdown(item.title)} ({item.id})"
