"""svc's own flags, in addition to those of the tools."""

from __future__ import annotations

from typing import Any

import click

from svc.entry_schema import LIST, EntrySchema
from svc.flags import JsonList


def yes_option() -> click.Option:
    return click.Option(["--yes", "-y"], is_flag=True, help="Do not ask for confirmation.")


def idempotency_option() -> click.Option:
    return click.Option(
        ["--idempotency-key"],
        metavar="KEY",
        callback=_check_key,
        help="Repeated calls with this key take effect only once within 24 hours.",
    )


def items_option(entries: EntrySchema) -> click.Option:
    limit = f", at most {entries.most}" if entries.most else ""
    text = f"All entries as a JSON list of objects{limit}. Each has the fields above, plus an id to update an entry."
    return click.Option(["--items", LIST], metavar="JSON|@FILE|-", type=JsonList(), help=text)


def csv_help(entries: EntrySchema) -> str:
    if entries.reads_csv:
        return "CSV file that the service parses; - for standard input."
    return "CSV file with the field names in the first line; - for standard input. For long files, use svc import."


def all_option() -> click.Option:
    return click.Option(["--all"], is_flag=True, help="Get all pages of the list.")


def clear_option(fields: list[str]) -> click.Option:
    return click.Option(
        ["--clear"],
        metavar="FIELD",
        multiple=True,
        type=_FieldName(fields),
        help=f"Field to clear: {', '.join(fields)}. Can be repeated.",
    )


class _FieldName(click.Choice[str]):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(str(value).removeprefix("--").replace("_", "-"), param, ctx)


def _check_key(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not (0 < len(value) <= 256 and all(" " <= character <= "~" for character in value)):
        raise click.BadParameter("must be 1 to 256 plain ASCII characters.")
    return value
