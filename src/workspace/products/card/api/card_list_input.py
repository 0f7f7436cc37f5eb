"""A list of cards to save: those without an id are made, those with one changed, ids in `remove` deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput, Issue
from workspace.products.card.api.arguments import CardItem
from workspace.products.card.api.serializers import MISSING
from workspace.products.card.models import NAME_PARTS, Card
from workspace.publishing.duplication import fields_like
from workspace.publishing.serializers import several


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of those to make and to change: what is given, and where it stands among the arguments (`items.3`)."""

    new: dict[str, dict[str, Any]]
    old: dict[str, tuple[Card, dict[str, Any]]]
    gone: list[Card]


def read(account: Account, items: Sequence[CardItem], remove: Sequence[str]) -> Wanted:
    """One query. Raises NotFound for an id that is no card's, InvalidInput for all that is wrong with the list."""
    _check(items, remove)
    said = [(n, item, name) for n, item in enumerate(items) for name in ("id", "like") if name in item]
    named = [(item[name], f"items.{n}.{name}") for n, item, name in said]
    named += [(id, f"remove.{n}") for n, id in enumerate(remove)]
    mine = account.cards.select_related("account", "publication")
    rows = several([id for id, _ in named], MISSING, mine, paths=[path for _, path in named])
    found = {card.pk: card for card in rows}
    fields = {f"items.{n}": {k: v for k, v in item.items() if k not in ("id", "like")} for n, item in enumerate(items)}
    likes = {f"items.{n}": found[item["like"]] for n, item in enumerate(items) if "like" in item}
    known = {f"items.{n}": found[item["id"]] for n, item in enumerate(items) if "id" in item}
    return Wanted(
        new={path: _like(likes.get(path), given) for path, given in fields.items() if path not in known},
        old={path: (card, fields[path]) for path, card in known.items()},
        gone=[found[id] for id in dict.fromkeys(remove)],
    )


def _like(model: Card | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, and the rest as on another card; the parts of its name go with its name."""
    if model is None:
        return dict(given)
    is_renamed = given.get("full_name", model.full_name) != model.full_name
    return {k: v for k, v in fields_like(model).items() if not (is_renamed and k in NAME_PARTS)} | dict(given)


def _check(items: Sequence[CardItem], remove: Sequence[str]) -> None:
    if not items and not remove:
        raise InvalidInput.at("items", "Give cards to make or to change, or ids to remove")
    issues: list[Issue] = []
    seen: set[str] = set()
    for number, item in enumerate(items):
        if "id" in item and "like" in item:
            issues.append(Issue(f"items.{number}.like", "Only for one that is made: leave out its id"))
        if item.get("id") in seen:
            issues.append(Issue(f"items.{number}.id", "This card is there twice: put its changes into one entry"))
        seen |= {item["id"]} if "id" in item else set()
    for number, id in enumerate(remove):
        if id in seen:
            issues.append(Issue(f"remove.{number}", "This card is among the items, too: change it or remove it"))
    if issues:
        raise InvalidInput(issues)
