"""Labels of tables for owners."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.products.seat import messages


def format_table_label(name: str) -> str:
    """Return `Table 7` for a number. Return other names such as `Head table` unchanged."""
    return str(messages.TABLE_LABEL(name=name)) if name.isdigit() else name


def join_names(names: Sequence[str]) -> str:
    """Return `Ada`, `Ada and Ben` or `Ada, Ben and Cleo`."""
    if len(names) < 2:
        return "".join(names)
    return str(messages.NAMES_AND_LAST(names=", ".join(names[:-1]), last=names[-1]))
