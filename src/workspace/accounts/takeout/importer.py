"""Writing checked rows to the account, in the caller's transaction.

Rows are written as they are, and no tool runs, so nothing is sent, started or pushed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import CharField, ForeignKey, JSONField, Model, TextField
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts.models import Account
from workspace.accounts.takeout import messages
from workspace.accounts.takeout.import_check import ImportPlan, pop_checked_chunks, row_error
from workspace.accounts.takeout.tables import AccountTable, foreign_key_targets, list_tables
from workspace.lib.errors import OperationNotAllowedError

_ID = re.compile(r"[a-z]+_[0-9a-z]{26}")
ROW_CONFLICT = "conflicts with another row"


def import_rows(plan: ImportPlan) -> dict[str, int]:
    """Import the rows of all tables. Return the number of rows per table.

    Raise OperationNotAllowedError if rows conflict. The caller must then roll back.
    """
    numbers: dict[type[Model], dict[Any, Any]] = {}
    counts: dict[str, int] = {}
    renamed = {**plan.new_ids, plan.archive.former_account_id: plan.context.account.pk}
    for table in list_tables():
        for to in foreign_key_targets(table.model).values():
            numbers[to] = {}
    for table in reversed(list_tables()):
        if table.takeout.replaces:
            table.model._base_manager.filter(**{table.account_path: plan.context.account}).delete()
    for table in list_tables():
        counts[table.name] = _import_table(plan, table, renamed, numbers)
    account = plan.context.account
    account.name, account.time_zone = _account_settings(plan)
    account.save(update_fields=["name", "time_zone"])
    return {name: count for name, count in counts.items() if count}


def _account_settings(plan: ImportPlan) -> tuple[str, str]:
    exported = plan.archive.manifest["account"]
    zone = exported["time_zone"]
    return exported["name"], zone if zone in available_timezones() else plan.context.account.time_zone


def _import_table(
    plan: ImportPlan, table: AccountTable, renamed: dict[str, str], numbers: dict[type[Model], dict[Any, Any]]
) -> int:
    count, selves = 0, list[tuple[Any, str, Any]]()
    own = numbers.get(table.model, {})
    texts = _columns_to_rename(table)
    pointing = [(table.model._meta.get_field(name), to) for name, to in foreign_key_targets(table.model).items()]
    for chunk in pop_checked_chunks(plan, table):
        formers = []
        for _number, row, values in chunk:
            formers.append(row.pk)
            changes = plan.changes.get((table.name, row.pk), {})
            _replace_references(texts, row, renamed, plan.context.addresses)
            selves += _update_foreign_keys(plan, pointing, table, row, numbers)
            if table.has_numeric_ids:
                row.pk = None
            for name, value in changes.items():
                setattr(row, name, value)
            if table.takeout.import_row is not None:
                table.takeout.import_row(plan.context, row, values)
        rows = [row for _number, row, _told in chunk]
        _write_rows(table, [(number, row) for number, row, _told in chunk])
        if table.has_numeric_ids and table.model in numbers:
            own.update(zip(formers, (row.pk for row in rows), strict=True))
        count += len(rows)
    for row, attname, id in selves:
        table.model._base_manager.filter(pk=row.pk).update(**{attname: own[id]})
    return count


def _update_foreign_keys(
    plan: ImportPlan,
    pointing: Sequence[tuple[Any, type[Model]]],
    table: AccountTable,
    row: Any,
    numbers: dict[type[Model], dict[Any, Any]],
) -> Iterator[tuple[Any, str, Any]]:
    """Replace a row's foreign keys with the keys that the rows have on this instance.

    A row may refer to a row of the same table that is not written yet. Then yield the row, the column and the former
    key.
    """
    for column, to in pointing:
        assert isinstance(column, ForeignKey)
        id = getattr(row, column.attname)
        if to is Account:
            setattr(row, column.attname, plan.context.account.pk)
        elif to is table.model and table.has_numeric_ids and id is not None:
            setattr(row, column.attname, None)
            yield row, column.attname, id
        elif to in numbers and id in numbers[to]:
            setattr(row, column.attname, numbers[to][id])


def _write_rows(table: AccountTable, chunk: Sequence[tuple[int, Any]]) -> None:
    """Write the rows of a chunk.

    Raise OperationNotAllowedError with the line and the columns of the first row that violates a constraint.
    """
    write = table.model._base_manager.bulk_create
    try:
        with transaction.atomic():
            write([row for _number, row in chunk])
            return
    except (IntegrityError, DataError):
        pass
    for number, row in chunk:
        try:
            with transaction.atomic():
                write([row])
        except (IntegrityError, DataError):
            raise row_error(table, number, f"{_conflicting_columns(row)}: {ROW_CONFLICT}") from None
    raise OperationNotAllowedError(messages.EXPORT_INCONSISTENT(table=table.name))


def _conflicting_columns(row: Any) -> str:
    """Return the columns of the first database constraint that the row violates."""
    try:
        row.validate_unique()
    except ValidationError as problem:
        if found := [name for name in problem.message_dict if name != NON_FIELD_ERRORS]:
            return ", ".join(found)
    for constraint in row._meta.constraints:
        try:
            constraint.validate(type(row), row)
        except ValidationError:
            condition = getattr(constraint, "fields", None) or _condition_columns(constraint.condition)
            return ", ".join(dict.fromkeys(condition))
    return "id"


def _condition_columns(condition: Any) -> Iterator[str]:
    for one in condition.children:
        if isinstance(one, tuple):
            yield one[0].partition(LOOKUP_SEP)[0]
        else:
            yield from _condition_columns(one)


def _columns_to_rename(table: AccountTable) -> list[tuple[str, bool]]:
    """Return the columns that may contain ids or addresses, and whether they are JSON.

    Hashed columns are left out, because they must not change.
    """
    columns = table.columns
    names = {column.name for column in table.model._meta.concrete_fields}
    hashed = {"body", "value"} if {"hash", "salt"} & names else set()
    return [
        (column.attname, isinstance(column, JSONField))
        for column in columns
        if column.name not in hashed and isinstance(column, (JSONField, CharField, TextField, ForeignKey))
    ]


def _replace_references(
    columns: Sequence[tuple[str, bool]], row: Any, renamed: dict[str, str], addresses: dict[str, str]
) -> None:
    """Replace former ids, and former addresses of the account's own pages, in all columns of a row."""
    for name, is_json in columns:
        value = getattr(row, name)
        if value is None:
            continue
        if is_json:
            text = json.dumps(value)
            if (made := _replace_ids(text, renamed)) != text:
                value = json.loads(made)
            setattr(row, name, _replace_addresses(value, addresses))
        elif isinstance(value, str):
            setattr(row, name, _replace_addresses(_replace_ids(value, renamed), addresses))


def _replace_ids(text: str, renamed: dict[str, str]) -> str:
    return _ID.sub(lambda found: renamed.get(found[0], found[0]), text) if "_" in text else text


def _replace_addresses(value: Any, addresses: dict[str, str]) -> Any:
    """Replace strings that are the address of one of the account's pages, with or without a query or fragment."""
    if not addresses:
        return value
    if isinstance(value, str):
        page = re.split("[?#]", value, maxsplit=1)[0]
        return addresses.get(page, page) + value[len(page) :]
    if isinstance(value, dict):
        return {key: _replace_addresses(one, addresses) for key, one in value.items()}
    return [_replace_addresses(one, addresses) for one in value] if isinstance(value, list) else value
