"""Converting typed flags into the arguments of a tool."""

from __future__ import annotations

from typing import Any

import click

from svc import json_schema
from svc.argument_paths import ArgumentPath, build_lists, schema_at_step, set_at_path
from svc.catalog import Tool
from svc.entry_schema import ID, LIST, EntrySchema
from svc.flags import ArgumentType, Flag, check_value, flag_name


class ArgumentValues:
    """Values by path: those of the tool's own arguments, and those of the entry built from flags."""

    def __init__(self, tool: Tool, entries: EntrySchema | None) -> None:
        self._tool, self._entries = tool, entries
        self._own: dict[ArgumentPath, Any] = {}
        self._entry: dict[ArgumentPath, Any] = {}

    def add_value(self, path: ArgumentPath, value: Any, of_entry: bool, ctx: click.Context) -> None:
        """Add a value. Raise a usage error if the path, or a path above or below it, already has a value."""
        values = self._entry if of_entry else self._own
        for other in values:
            size = min(len(path), len(other))
            if path[:size] == other[:size]:
                first, second = flag_name(".".join(other)), flag_name(".".join(path))
                twice = f"{second} is set twice" if first == second else f"Use either {first} or {second}"
                raise click.UsageError(f"{twice}.", ctx)
        values[path] = value

    def has_value(self, path: ArgumentPath, of_entry: bool) -> bool:
        return path in (self._entry if of_entry else self._own)

    @property
    def tool_arguments(self) -> dict[str, Any]:
        """The tool's arguments.

        If there is no entry, they include the arguments that entries also accept.
        """
        shared = {} if self.has_entry else self._entry
        return _build_tree({**self._own, **shared}, self._tool.input_schema)

    @property
    def entry(self) -> dict[str, Any] | None:
        """The entry that the flags build, or None."""
        return _build_tree(self._entry, self._entries.root) if self._entries and self.has_entry else None

    @property
    def has_entry(self) -> bool:
        """True if a flag sets a field that only an entry has."""
        properties = self._tool.input_schema.get("properties") or {}
        return any(path[0] not in properties for path in self._entry)

    def format_entry_flags(self) -> str:
        """Return the first flags of the entry as text, for messages."""
        return " and ".join(flag_name(".".join(path)) for path in list(self._entry)[:2])


def collect_arguments(
    tool: Tool, entries: EntrySchema | None, ctx: click.Context, flags: list[Flag], dotted: list[tuple[str, str]]
) -> ArgumentValues:
    """Collect all given flags: plain ones, `dotted` ones (`--links.0.url`) and fields emptied with `--clear`.

    Raise a usage error for an invalid or repeated value.
    """
    given = ArgumentValues(tool, entries)
    for flag in flags:
        value = ctx.params.get(flag.name or "")
        if value is None or value == ():
            continue
        if flag.multiple:
            value = [one for part in value for one in part]
            _check_list(flag, value, tool, entries, ctx)
        given.add_value(flag.path, value, flag.of_entry, ctx)
    for name, text in dotted:
        path, leaf, of_entry = resolve_place(name, tool, entries)
        try:
            value = ArgumentType(leaf, _schema_root(tool, entries, of_entry)).parse_text(text)
        except ValueError as problem:
            raise click.BadParameter(f"{problem}.", ctx, param_hint=f"'--{name}'") from None
        given.add_value(path, value, of_entry, ctx)
    for name in ctx.params.get("clear") or ():
        path, leaf, of_entry = resolve_place(name, tool, entries)
        if given.has_value(path, of_entry):
            raise click.UsageError(f"Use either {flag_name(name)} or --clear {name}.", ctx)
        given.add_value(path, json_schema.empty_value(leaf, _schema_root(tool, entries, of_entry)), of_entry, ctx)
    return given


def list_clearable_fields(tool: Tool, entries: EntrySchema | None) -> list[str]:
    """List the fields that `--clear` accepts: those that are optional and may be empty."""
    root = entries.root if entries else tool.input_schema
    required = root.get("required") or []
    found = []
    for name, raw in (root.get("properties") or {}).items():
        if name in required or name == ID:
            continue
        try:
            json_schema.empty_value(raw, root)
        except ValueError:
            continue
        found.append(flag_name(name).removeprefix("--"))
    return found


def resolve_place(name: str, tool: Tool, entries: EntrySchema | None) -> tuple[ArgumentPath, json_schema.Schema, bool]:
    """Return the path, schema and owner of a location such as `links.0.url`.

    Raise LookupError if it does not exist.
    """
    steps = tuple(name.removeprefix("arg-").replace("-", "_").split("."))
    for of_entry in (True, False) if entries else (False,):
        root = _schema_root(tool, entries, of_entry)
        leaf: json_schema.Schema | None = {"type": "object", "additionalProperties": False, **root}
        for step in steps:
            leaf = schema_at_step(leaf, step, root) if leaf is not None else None
        if leaf is not None:
            return steps, leaf, of_entry
    raise LookupError(name)


def check_entries(tool: Tool, entries: EntrySchema, values: list[Any], ctx: click.Context) -> list[Any]:
    """Check entries given as JSON. Raise a usage error that lists their problems, entry by entry."""
    found = [
        f"{LIST}.{number}{'.' if path else ''}{'.'.join(path)}: {message}"
        for number, value in enumerate(values)
        for path, message in json_schema.find_issues(value, entries.root, entries.root)
    ]
    if found:
        more = [f"... and {len(found) - 20} more"] if len(found) > 20 else []
        raise click.UsageError("\n  ".join(["Some entries are not valid:", *found[:20], *more]), ctx)
    check_count(tool, entries, len(values), ctx)
    return values


def check_count(tool: Tool, entries: EntrySchema, count: int, ctx: click.Context) -> None:
    """Raise a usage error if there are more entries than one call accepts."""
    if entries.most is not None and count > entries.most:
        raise click.UsageError(
            f"A call accepts at most {entries.most} entries, but there are {count}. For larger files, run: svc "
            f"import {' '.join(tool.name_parts)} --csv FILE",
            ctx,
        )


def _check_list(flag: Flag, value: list[Any], tool: Tool, entries: EntrySchema | None, ctx: click.Context) -> None:
    root = _schema_root(tool, entries, flag.of_entry)
    _, leaf, _ = resolve_place(".".join(flag.path), tool, entries)
    try:
        check_value(value, leaf, root)
    except ValueError as problem:
        raise click.BadParameter(f"{problem}.", ctx, flag) from None


def _schema_root(tool: Tool, entries: EntrySchema | None, of_entry: bool) -> json_schema.Schema:
    return entries.root if entries and of_entry else tool.input_schema


def _build_tree(values: dict[ArgumentPath, Any], root: json_schema.Schema) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, value in values.items():
        set_at_path(tree, path, value)
    made: dict[str, Any] = build_lists(tree, root, root)
    return made
