"""Every imported column declares a reader, so that a ZIP file cannot contain values that no tool accepts."""

from __future__ import annotations

from typing import Any

from django.db.models import CharField, DecimalField, FileField, JSONField, TextField

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import list_tables

READ = (CharField, TextField, JSONField, DecimalField, FileField)


def test_every_text_json_and_decimal_column_declares_a_reader() -> None:
    missing = [
        f"{table.name}.{column.name}"
        for table in list_tables()
        for column in table.columns
        if isinstance(column, READ) and not column.choices and table.column_type(column) is None
    ]
    assert missing == [], "declare these in `reads` of the table's Carried"


def test_every_declared_reader_belongs_to_a_column() -> None:
    unknown = [
        f"{table.name}.{name}"
        for table in list_tables()
        for name in {**table.takeout.column_types, **table.takeout.number_references}
        if name not in {column.name for column in table.columns}
    ]
    assert unknown == []


def test_every_number_has_a_limit() -> None:
    unbounded = [
        f"{table.name}.{column.name}"
        for table in list_tables()
        for column in table.columns
        if column.get_internal_type().endswith(("IntegerField", "FloatField"))
        and not column.primary_key
        and table.column_type(column) is None
    ]
    assert unbounded == []


def test_every_reader_of_a_number_accepts_numbers() -> None:
    refusing = [
        f"{table.name}.{column.name}"
        for table in list_tables()
        for column in table.columns
        if column.get_internal_type().endswith(("IntegerField", "FloatField"))
        and not column.primary_key
        and not any(_is_accepted(table.column_type(column), number) for number in (1, 18, 2000))
    ]
    assert refusing == []


def _is_accepted(type: Any, number: int) -> bool:
    try:
        column_types.parse_value(type, number)
    except ValueError:
        return False
    return True
