"""Starter content of a new account.

It does not count toward a plan's limits while it is unused, and the first real item replaces it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar

from django.apps import apps
from django.db.models import Count

from workspace.accounts.models import Account
from workspace.storage.database.compiled_query import CompiledQuery, parameter

_is_starting: ContextVar[bool] = ContextVar("is_starting", default=False)


@contextmanager
def starter_context() -> Iterator[None]:
    """Mark everything that is created in this context as starter content."""
    token = _is_starting.set(True)
    try:
        yield
    finally:
        _is_starting.reset(token)


def is_starting() -> bool:
    return _is_starting.get()


class Startable:
    """The part of `PublishedItem` that handles starter content."""

    LINKS_TO_STARTERS: ClassVar[bool] = False  # whether its starter links to starters of other kinds

    @classmethod
    def is_full(cls: Any, account: Account, limit: int, count: int = 1, **condition: Any) -> bool:
        """Return whether `count` more items would exceed `limit`. Unused starter content is not counted."""
        over: int = cls._default_manager.filter(account=account, **condition).count() + count - limit
        return over > 0 and over > len(cls.list_starters(account))

    @classmethod
    def list_starters(cls: Any, account: Account) -> list[Any]:
        """Return the starter content of this kind that no owner has changed and no guest has used."""
        rows = cls._default_manager.filter(account=account, publication__is_starter=True)
        same = [one for one in rows.select_related("publication", "account") if one.updated_at == one.created_at]
        if not same:
            return []
        later = account.changes.filter(item_id__in=[one.pk for one in same]).values("item_id").order_by()
        changed = later.annotate(count=Count("pk")).filter(count__gt=1)
        used = cls.ids_with_guests(same) | set(changed.values_list("item_id", flat=True))
        return [one for one in same if one.pk not in used]

    @classmethod
    def replace_starters(cls: Any, account: Account) -> None:
        """Move unused starter content to the bin before the first real item of this kind is created.

        Starters that only link to other starters are also moved.
        """
        if is_starting() or not _STARTERS.fetch_rows(account=account.pk, limit=1):
            return
        if found := cls.list_starters(account):
            for kind in list_startable_models():
                if kind.LINKS_TO_STARTERS and not cls.LINKS_TO_STARTERS:
                    kind.remove_many(kind.list_starters(account))
            cls.remove_many(found)


_STARTERS = CompiledQuery(
    lambda: (
        apps.get_model("publishing.Publication")
        .objects.filter(account_id=parameter("account"), is_starter=True, deleted_at=None)
        .values_list("pk")
    )
)


def list_startable_models() -> list[Any]:
    return [model for model in apps.get_models() if issubclass(model, Startable)]
