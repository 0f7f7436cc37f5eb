"""The input of a list of cards.

Cards without an id are created, those with an id are changed, and those with their IDs in `remove` are deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError, Issue
from workspace.products.card import messages
from workspace.products.card.api.arguments import CardItem
from workspace.products.card.models import NAME_PARTS, Card
from workspace.publishing.duplication import copy_fields
from workspace.publishing.serializers import get_many_or_404


@dataclass(frozen=True, slots=True)
class CardListRequest:
    """The cards to create and to change, with the given fields, by the entry's path (`items.3`)."""

    new: dict[str, dict[str, Any]]
    existing: dict[str, tuple[Card, dict[str, Any]]]
    removed: list[Card]


def resolve_items(account: Account, items: Sequence[CardItem], remove: Sequence[str]) -> CardListRequest:
    """Resolve the cards of a list with a single query.

    Raise NotFoundError for an unknown id, and InvalidInputError with all errors of the list."""
    _check_list(items, remove)
    names = [(n, item, name) for n, item in enumerate(items) for name in ("id", "copy_of") if name in item]
    named = [(item[name], f"items.{n}.{name}") for n, item, name in names]
    named += [(id, f"remove.{n}") for n, id in enumerate(remove)]
    mine = account.cards.select_related("account", "publication")
    rows = get_many_or_404([id for id, _ in named], messages.CARD_NOT_FOUND, mine, paths=[path for _, path in named])
    cards_by_id = {card.pk: card for card in rows}
    fields = {
        f"items.{n}": {k: v for k, v in item.items() if k not in ("id", "copy_of")} for n, item in enumerate(items)
    }
    likes = {f"items.{n}": cards_by_id[item["copy_of"]] for n, item in enumerate(items) if "copy_of" in item}
    known = {f"items.{n}": cards_by_id[item["id"]] for n, item in enumerate(items) if "id" in item}
    return CardListRequest(
        new={path: _with_model_fields(likes.get(path), field) for path, field in fields.items() if path not in known},
        existing={path: (card, fields[path]) for path, card in known.items()},
        removed=[cards_by_id[id] for id in dict.fromkeys(remove)],
    )


def _with_model_fields(model: Card | None, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given fields, and all others from another card. If the name differs, do not copy its parts."""
    if model is None:
        return dict(fields)
    is_renamed = fields.get("full_name", model.full_name) != model.full_name
    return {k: v for k, v in copy_fields(model).items() if not (is_renamed and k in NAME_PARTS)} | dict(fields)


def _check_list(items: Sequence[CardItem], remove: Sequence[str]) -> None:
    if not items and not remove:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    issues: list[Issue] = []
    seen: set[str] = set()
    for number, item in enumerate(items):
        if "id" in item and "copy_of" in item:
            issues.append(Issue(f"items.{number}.copy_of", messages.COPY_WITH_ID))
        if item.get("id") in seen:
            issues.append(Issue(f"items.{number}.id", messages.CARD_REPEATED))
        seen |= {item["id"]} if "id" in item else set()
    for number, id in enumerate(remove):
        if id in seen:
            issues.append(Issue(f"remove.{number}", messages.CARD_IS_CHANGED))
    if issues:
        raise InvalidInputError(issues)
