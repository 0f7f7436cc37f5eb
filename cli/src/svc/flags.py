"""Flags for a tool's arguments: their names, parsing, and help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from svc import json_schema
from svc.app_folders import read_stdin_text
from svc.argument_paths import ArgumentPath
from svc.catalog import Tool
from svc.entry_schema import ID, LIST_ARGUMENTS, EntrySchema

# svc's own flags, on some or all commands
RESERVED_FLAGS = (
    "json",
    "output",
    "yes",
    "help",
    "profile",
    "idempotency-key",
    "verbose",
    "all",
    "clear",
    "csv",
    "save",
)
MAX_DEPTH = 3
DRY_RUN: ArgumentPath = ("dry_run",)
DRY_RUN_HELP = "Show what would happen without changing anything."


class ArgumentType(click.ParamType[Any]):
    """The type of a flag, which is parsed and checked with its schema.

    For a list, a value is one of its members, or the whole list as JSON.
    """

    name = "text"

    def __init__(self, leaf: json_schema.Schema, root: json_schema.Schema) -> None:
        self._leaf, self._root = leaf, root
        self._is_list = json_schema.json_types(leaf, root) == {"array"}
        self._item_schema = json_schema.resolve_schema(leaf.get("items"), root) if self._is_list else leaf
        self.choices = json_schema.list_choices(self._item_schema, root)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.parse_text(value)
        except ValueError as problem:
            self.fail(f"{problem}.", param, ctx)

    def parse_text(self, text: str) -> Any:
        """Parse the text of a flag. Raise ValueError with a message that says what is expected."""
        if not self._is_list:
            value = json_schema.parse_value(text, self._leaf, self._root)
            return check_value(value, self._leaf, self._root)
        of_objects = bool(json_schema.json_types(self._item_schema, self._root) & {"array", "object"})
        if text[:1] in ("[", "@") or (of_objects and text[:1] != "{"):
            return json_schema.parse_value(text, self._leaf, self._root)
        return [
            check_value(json_schema.parse_value(text, self._item_schema, self._root), self._item_schema, self._root)
        ]

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        if self.choices:
            return "[" + "|".join(map(str, self.choices)) + "]"
        if self._leaf.get("contentEncoding") == "base64":
            return "BASE64|@FILE"
        allowed = json_schema.json_types(self._item_schema, self._root)
        if allowed & {"array", "object"}:
            return "JSON|@FILE"
        names = {"integer": "INTEGER", "number": "NUMBER", "boolean": "BOOLEAN"}
        return next((names[kind] for kind in ("integer", "number", "boolean") if kind in allowed), "TEXT")

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(str(choice)) for choice in self.choices or [] if str(choice).startswith(incomplete)]


class JsonList(click.ParamType[Any]):
    """A list as JSON: inline, in a file or on standard input. A single object means a list with one member."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            text = read_stdin_text() if value in ("-", "@-") else value
            found = json_schema.parse_json(text, {"array", "object"})
        except ValueError as problem:
            self.fail(f"{problem}.", param, ctx)
        return found if isinstance(found, list) else [found]


class Flag(click.Option):
    """A flag.

    `path` is the argument that it sets, in the tool's arguments or, with `of_entry`, in those of one entry. `also` is
    another name of the flag.
    """

    def __init__(
        self,
        path: ArgumentPath,
        leaf: json_schema.Schema,
        root: json_schema.Schema,
        of_entry: bool,
        required: bool = False,
        alias: str | None = None,
    ) -> None:
        self.path, self.of_entry = path, of_entry
        flag, name = flag_name(".".join(path)), ("entry." if of_entry else "own.") + ".".join(path)
        kinds = json_schema.json_types(leaf, root)
        text = DRY_RUN_HELP if path == DRY_RUN else help_text(leaf, root, required)
        if kinds == {"boolean"} and not json_schema.list_choices(leaf, root):
            both = flag if path == DRY_RUN else f"{flag}/--no-{flag[2:]}"
            super().__init__([both, _parameter_name(name)], is_flag=True, default=None, help=text)
            return
        several = kinds == {"array"}
        names = [flag, flag_name(alias)] if alias else [flag]
        super().__init__(
            [*names, _parameter_name(name)], type=ArgumentType(leaf, root), multiple=several, default=None, help=text
        )


def flags_for(tool: Tool, entries: EntrySchema | None) -> list[Flag]:
    """Return a flag for each argument.

    No flag is `required` for click, so that all missing ones are reported together.
    """
    own = list(_build_flags(tool.input_schema, of_entry=False, without=_arguments_with_own_flags(entries)))
    return [*own, *_build_flags(entries.root, of_entry=True, aliases=entries.aliases)] if entries else own


def flag_name(argument: str) -> str:
    """Return the flag of an argument: `target_url` is `--target-url`.

    If svc itself uses the name, it is `--arg-NAME`.
    """
    name = argument.replace("_", "-")
    return f"--arg-{name}" if name in RESERVED_FLAGS else f"--{name}"


def check_value(value: Any, leaf: json_schema.Schema, root: json_schema.Schema) -> Any:
    """Return the value. Raise ValueError if it definitely violates the schema."""
    if leaf.get("contentEncoding") == "base64":
        return value
    # the service strips spaces before it checks lengths
    found = json_schema.find_issues(value.strip() if isinstance(value, str) else value, leaf, root)
    if found:
        path, message = found[0]
        raise ValueError(f"{'.'.join(path)}: {message}" if path else message)
    return value


def help_text(leaf: json_schema.Schema, root: json_schema.Schema, required: bool) -> str:
    notes = []
    if required:
        notes.append("required")
    elif leaf.get("default") is not None:
        default = leaf["default"]
        notes.append(f"default: {str(default).lower() if isinstance(default, bool) else default}")
    if "minimum" in leaf or "maximum" in leaf:
        notes.append(f"{leaf.get('minimum', '')} to {leaf.get('maximum', '')}".strip())
    if json_schema.json_types(leaf, root) == {"array"}:
        inner = json_schema.resolve_schema(leaf.get("items"), root)
        parts = next(iter(inner.get("properties") or {}), None)
        notes.append("repeat for several values" + (f", or set single fields: .0.{parts}, .1.{parts}" if parts else ""))
    description = str(leaf.get("description") or "").strip()
    return " ".join([description, f"[{'; '.join(notes)}]" if notes else ""]).strip()


def _build_flags(
    root: json_schema.Schema,
    *,
    of_entry: bool,
    without: tuple[str, ...] = (),
    aliases: dict[str, str] | None = None,
) -> Iterator[Flag]:
    also = {name: other for other, name in (aliases or {}).items()}
    required = set(root.get("required") or [])
    properties = root.get("properties") or {}
    for name in sorted(properties, key=lambda name: (name not in required, name != ID)):
        if name not in without:
            leaf = json_schema.resolve_schema(properties[name], root)
            yield Flag((name,), leaf, root, of_entry, name in required, also.get(name))
            yield from _build_part_flags((name,), leaf, root, of_entry)


def _build_part_flags(
    path: ArgumentPath, outer: json_schema.Schema, root: json_schema.Schema, of_entry: bool
) -> Iterator[Flag]:
    """Yield `--style.body` in addition to `--style`, for objects with known members."""
    if len(path) == MAX_DEPTH or json_schema.json_types(outer, root) != {"object"}:
        return
    for name, raw in (outer.get("properties") or {}).items():
        leaf = json_schema.resolve_schema(raw, root)
        yield Flag((*path, name), leaf, root, of_entry)
        yield from _build_part_flags((*path, name), leaf, root, of_entry)


def _arguments_with_own_flags(entries: EntrySchema | None) -> tuple[str, ...]:
    """Return the tool's arguments for which its command has special flags."""
    if entries is None:
        return ()
    twice = [name for name in entries.fields if name not in LIST_ARGUMENTS]
    return ("items", "csv", *twice)


def _parameter_name(name: str) -> str:
    plain = name.replace(".", "__dot__")
    return "given_" + "".join(character if character.isalnum() else "_" for character in plain)
