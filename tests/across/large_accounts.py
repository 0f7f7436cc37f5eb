"""Quick creation of an account with thousands of rows in every table.

The rows of a few calls are copied by the database itself, which covers new products as well.
"""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Field, ForeignKey, Model, UniqueConstraint

from workspace.accounts.models import Account

# Columns that must differ between rows of one item, or that would be unrealistic in one week: each copy is a day later.
APART = {
    "booking.Booking": ("starts_at", "ends_at", "blocked_from", "blocked_until"),
    "booking.Block": ("starts_at", "ends_at"),
    "delivery.BusyTime": ("starts_at", "ends_at"),
}
EARLIER = frozenset({"booking.Block"})  # an account has many past ones and few future ones
FEW = frozenset({"delivery.AddressBook", "delivery.Calendar"})  # an account has only a limited number of these
STEP = 100_000  # difference between the numbers of successive sets of copies


def empty_tables() -> list[type[Model]]:
    own = (model for model in apps.get_models() if model.__module__.startswith("workspace."))
    return [model for model in own if not model._base_manager.exists()]


def multiply(models: list[type[Model]], guests: set[type[Model]], times: int) -> None:
    """Copy each row of these models into `times` / 5 other accounts, and `times` times into its own.

    Rows in `guests` are copied as often with the same item (a lead of the same card).
    """
    along, others = set(models), times // 5
    own = {model for model in along if not _is_one_an_account(model)}
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # the keys of copies are valid: checking each takes minutes
            cursor.execute("SET LOCAL session_replication_role = replica")
    _copy(Account, [({Account}, 0, others)])
    for model in models:
        ways = [(along | {Account}, 0, others), *([(own, others, times)] if model in own else [])]
        _copy(model, [*ways, (set(), others + times, times)] if model in guests else ways)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")


def _is_one_an_account(model: type[Model]) -> bool:
    unique = [one.fields for one in model._meta.constraints if isinstance(one, UniqueConstraint)]
    alone = any(field.one_to_one and field.related_model is Account for field in model._meta.concrete_fields)
    return model._meta.label in FEW or alone or ("account",) in unique


def _copy(model: type[Model], ways: list[tuple[set[type[Model]], int, int]]) -> None:
    """Copy rows.

    Each of `ways` contains the models whose rows are copied along, and the numbers of all copies but the first.
    """
    table = f'"{model._meta.db_table}"'
    fields = [field for field in model._meta.concrete_fields if field.column]
    selects = [
        f"SELECT {', '.join(_value(field, along, start) for field in fields)} FROM {table}, copies WHERE n <= {count}"
        for along, start, count in ways
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    most = max(count for _, _, count in ways)
    with connection.cursor() as cursor:
        # conflicts are rows that exist only once, such as the salt of a day
        cursor.execute(
            f"WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < {most}) "
            f"INSERT INTO {table} ({columns}) {' UNION ALL '.join(selects)} ON CONFLICT DO NOTHING"
        )


def _value(field: Field[Any, Any], along: set[type[Model]], start: int) -> str:
    """Return a copy's value: a new one if it is a key or must be unique."""
    column = f'"{field.model._meta.db_table}"."{field.column}"'
    if isinstance(field, ForeignKey):
        moves = field.related_model in along
    else:
        moves = field.primary_key or field.unique or field.name in _distinct(field.model)
    if field.name in APART.get(field.model._meta.label, ()):
        days = f"({'-' if field.model._meta.label in EARLIER else ''}(copies.n + {start}))"
        later = f"datetime({column}, {days} || ' days')"
        return later if connection.vendor == "sqlite" else f"{column} + {days} * interval '1 day'"
    kind = field
    while isinstance(kind, ForeignKey):
        kind = kind.target_field
    name = kind.get_internal_type()
    if moves and ("Integer" in name or "Auto" in name):
        return f"{column} + (copies.n + {start}) * {STEP}"
    if moves and name in ("CharField", "TextField", "SlugField"):
        kept = (getattr(kind, "max_length", None) or 1000) - len(f"x{STEP}")
        return f"substr({column}, 1, {kept}) || 'x' || (copies.n + {start})"
    return column


def _distinct(model: type[Model]) -> set[str]:
    """Return the last column of each unique constraint, so that a copy keeps the row's parent."""
    found = [one.fields for one in model._meta.constraints if isinstance(one, UniqueConstraint)]
    return {fields[-1] for fields in found}
