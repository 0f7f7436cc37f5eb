"""Things: whatever an account shows in public, found by its id, its slug or its public address, whatever the product.

    thing(account, "summer-menu")  # Thing(kind="menu", id="menu_01…", title="Corner Café", public_url="https://…", …)

Each product's manifest is told here, so that nobody who looks for a thing imports a product.
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
from workspace.lib.errors import NotFound, ToolError
from workspace.lib.text import escape_markdown
from workspace.publishing.call_to_action import CALL
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import Address, State
from workspace.publishing.public_urls import path_of, public_url
from workspace.publishing.serializers import shown
from workspace.publishing.submissions import Arrivals, People
from workspace.tools.tool import Tool

_PUBLIC = re.compile(r"/([A-Za-z]+)/([A-Za-z0-9-]{1,50})(?![A-Za-z0-9_-])")
_OWNERS = re.compile(r"/app/([a-z]+)/([a-z]+_[a-z0-9]+)(?![a-z0-9_])")
_ID = re.compile(r"([a-z]+)_[a-z0-9]+")
_SLUG = re.compile(r"[A-Za-z0-9-]{1,50}")


@dataclass(frozen=True, slots=True)
class Thing:
    """`kind` is the key of its product and `noun` what it is in a sentence; `page` is its owner's page; `code_style` is
    how its code is dressed, empty for as the brand's. What has no address for guests has an empty `public_url`:
    `symbol_text` is what its code holds."""

    kind: str
    id: str
    title: str
    public_url: str
    page: str
    publication_id: str
    state: State
    code_style: Mapping[str, Any]
    # all late: what it is called may ask what it holds, and its symbol may hold what is sealed
    naming: Callable[[], str] = field(repr=False, compare=False)
    calling: Callable[[], str] = field(repr=False, compare=False)
    symbol: Callable[[], str] = field(repr=False, compare=False)

    @property
    def noun(self) -> str:
        return self.naming()

    @property
    def call(self) -> str:
        """To action, on paper and on buttons: to be translated."""
        return self.calling()

    @property
    def symbol_text(self) -> str:
        return self.symbol()


@dataclass(frozen=True, slots=True)
class Reference:
    """What a text names: an id, or what is at a slug. `kind` is empty where the text does not say it."""

    kind: str
    id: str = ""
    slug: str = ""


_manifests: dict[str, Manifest] = {}
_models: dict[str, tuple[Manifest, type[Model]]] = {}  # by the first part of their ids


def register(product: Manifest) -> None:
    _manifests[product.key] = product
    for model in product.things:
        _models[model._meta.pk.get_default().partition("_")[0]] = product, model


def manifests() -> list[Manifest]:
    """Every product in reach of who asks (`accounts/permissions.py`), in the order in which they are shown."""
    return [product for product in _manifests.values() if permissions.reaches(product.key)]


def manifest(kind: str) -> Manifest:
    return _manifests[kind]


def at_home(url: str) -> str:
    """The key of the product whose pages lie below this one; empty where it is nobody's."""
    return next((product.key for product in _manifests.values() if product.home == url), "")


def take_time() -> bool:
    """Whether any product is of times that the owner's own calendars should know."""
    return any(product.takes_time for product in manifests())


def arrivals() -> list[tuple[Manifest, Arrivals]]:
    """What guests may leave, each with its product."""
    return [(product, one) for product in manifests() for one in product.arrivals]


def people() -> list[People]:
    """Of whom owners keep lists."""
    return [one for product in manifests() for one in product.people]


def thing(account: Account, text: str) -> Thing:
    """What an account calls by this id, slug or address. Raises NotFound, and ToolError where a slug is that of several
    things."""
    named = read(text)
    found = [one for one in _named(account, named) if permissions.reaches(one.kind)] if named else []
    if not found:
        raise NotFound(
            "There is no such thing of yours: give its id, its slug or its public address, as svc_search tells them"
        )
    if len(found) > 1:
        raise ToolError(f"Several of yours are called so, give the id: {'; '.join(_told(one) for one in found)}")
    return found[0]


def things(account: Account, ids: Iterable[str]) -> dict[str, Thing]:
    """Those of these ids that there are, by id: two queries for each kind."""
    wanted: dict[str, list[str]] = {}
    for id in ids:
        wanted.setdefault(id.partition("_")[0], []).append(id)
    return {
        found.id: found
        for prefix, some in wanted.items()
        if prefix in _models
        for found in _all(*_models[prefix], account, pk__in=some)
    }


def published_as(account: Account, publications: Iterable[tuple[str, str]]) -> dict[str, Thing]:
    """What is published as these, of which kind and id are given, by the id of the publication."""
    wanted: dict[str, list[str]] = {}
    for kind, id in publications:
        wanted.setdefault(kind, []).append(id)
    return {
        found.publication_id: found
        for kind, ids in wanted.items()
        if kind in _manifests
        for model in _manifests[kind].things
        for found in _all(_manifests[kind], model, account, publication_id__in=ids)
    }


def of(account: Account, most: int = 20) -> list[Thing]:
    """What an account shows at an address, the first one first."""
    rows = (
        account.publications.filter(deleted_at=None, slug__gt="")
        .order_by("created_at", "pk")
        .values_list("kind", "pk")[:most]
    )
    found = published_as(account, rows)
    return [found[id] for _, id in rows if id in found]


def addressed(account: Account, text: str) -> list[Thing]:
    """What an id or a public address names; nothing for words, a slug among them."""
    named = read(text)
    found = _named(account, named) if named and (named.id or named.kind) else []
    return [one for one in found if permissions.reaches(one.kind)]


def refer(account: Account, tool: Tool[Any], text: str, own: bool) -> str:
    """The id of what an argument names by slug or address; the text itself where it names nothing. `own`: only a thing
    of the tool's product, and NotFound says what the text names instead."""
    if not own:
        named = read(text)
        return named.id if named and named.id else thing(account, text).id
    expected = _manifests.get(tool.product)
    named = read(text) if expected else None
    if expected is None or named is None:
        return text
    if named.kind and named.kind != expected.key:
        raise NotFound(f"That is {a(_manifests[named.kind].noun)}: {tool.name} takes {a(expected.noun)}")
    if named.id:
        return named.id
    if found := _named(account, Reference(expected.key, slug=named.slug)):
        return found[0].id
    others = [one for one in _named(account, named) if permissions.reaches(one.kind)] if not named.kind else []
    if others:
        raise NotFound(f"That is {_told(others[0])}: {tool.name} takes {a(expected.noun)}")
    return text


def read(text: str) -> Reference | None:
    """What a text names; None where it is neither an id nor a slug nor an address of this service."""
    if found := _ID.fullmatch(text):
        known = _models.get(found[1])
        return Reference(known[0].key if known else "", id=text)
    if _SLUG.fullmatch(text):
        return Reference("", slug=text.lower())
    path = path_of(_whole(text))
    if path is None:
        return None
    if found := _OWNERS.match(path):
        word, id = found.groups()
        keys = [product.key for product in _manifests.values() if product.word == word]
        return Reference(keys[0], id=id) if keys else None
    if found := _PUBLIC.match(path):
        prefix, slug = found.groups()
        keys = [one.key for one in _manifests.values() if one.path.strip("/") == prefix.lower()]
        return Reference(keys[0], slug=slug.lower()) if keys else None
    return None


def a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _whole(text: str) -> str:
    """An address as people write it, with this service's own scheme: what was printed before it had a certificate is
    still its address."""
    if text.startswith("/"):
        return settings.BASE_URL + text
    scheme, has_scheme, rest = text.partition("://")
    if has_scheme and scheme.lower() not in ("http", "https"):
        return ""
    return f"{settings.BASE_URL.partition('://')[0]}://{rest if has_scheme else text}"


def _named(account: Account, named: Reference) -> list[Thing]:
    if named.id:
        known = _models.get(named.id.partition("_")[0])
        return _all(*known, account, pk=named.id) if known else []
    kinds = [named.kind] if named.kind else Address.kinds_at(account, named.slug, _manifests)
    return [
        found
        for kind in kinds
        if kind in _manifests
        for model in _manifests[kind].things
        for found in _all(
            _manifests[kind],
            model,
            account,
            publication__addresses__kind=kind,
            publication__addresses__slug=named.slug,
        )
    ]


def _all(product: Manifest, model: type[Model], account: Account, **where: Any) -> list[Thing]:
    found: QuerySet[Any] = model._default_manager.filter(account=account, **where)
    return [_thing(product, row) for row in shown(found.order_by())]


def _thing(product: Manifest, row: Any) -> Thing:
    publication = row.publication
    return Thing(
        kind=product.key,
        id=row.pk,
        naming=lambda: str(getattr(row, "noun", product.noun)),
        title=str(row),
        public_url=public_url(publication.account_id, product.key, publication.slug),
        page=f"{settings.BASE_URL}{product.home}/{row.pk}",
        publication_id=publication.pk,
        state=publication.state,
        code_style=publication.code_style,
        calling=lambda: str(getattr(row, "call", CALL)),
        symbol=lambda: str(row.symbol_text),
    )


def _told(found: Thing) -> str:
    return f"{a(found.noun)}, {escape_markdown(found.title)} ({found.id})"
