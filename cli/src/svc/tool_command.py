"""A command made from a tool: one flag an argument, its help from the schema."""

from __future__ import annotations

from typing import Any

import click

from svc import schema
from svc.catalogue import Tool
from svc.failures import Failure, Refused
from svc.output import chosen_format, output_options, print_result
from svc.session import on_terminal, session_of

_TAKEN = {"json", "output", "yes", "help", "idempotency-key"}


class ArgumentType(click.ParamType[Any]):
    """A flag's text, read as its schema asks."""

    name = "text"

    def __init__(self, leaf: schema.Schema, root: schema.Schema) -> None:
        self._leaf, self._root = leaf, root
        self.choices = schema.choices(leaf, root)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return schema.value_from_text(value, self._leaf, self._root)
        except ValueError as problem:
            self.fail(f"{problem}.", param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        if self.choices:
            return "[" + "|".join(map(str, self.choices)) + "]"
        if self._leaf.get("contentEncoding") == "base64":
            return "BASE64|@FILE"
        allowed = schema.kinds(self._leaf, self._root)
        if allowed & {"array", "object"}:
            return "JSON|@FILE"
        names = {"integer": "INTEGER", "number": "NUMBER", "boolean": "BOOLEAN"}
        return next((names[kind] for kind in ("integer", "number", "boolean") if kind in allowed), "TEXT")

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(str(choice)) for choice in self.choices or [] if str(choice).startswith(incomplete)]


class ToolCommand(click.Command):
    """`svc qr create --name N ...`: posts what was given, leaves out what was not."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        extras: list[click.Parameter] = [*output_options()]
        if tool.destructive:
            extras.append(yes_option())
        if not tool.read_only:
            extras.append(idempotency_option())
        super().__init__(
            name=tool.words[-1],
            params=[*argument_options(tool), *extras],
            help=tool.description or tool.title,
            short_help=tool.title,
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption:
            # The flag may be newer than the catalogue at hand.
            session = session_of(ctx)
            session.fetch_catalogue()
            newer = session.catalogue.named(self.tool.name)
            if newer is None or newer == self.tool:
                raise
            ToolCommand.__init__(self, newer)
            return super().parse_args(ctx, given)

    def get_help(self, ctx: click.Context) -> str:
        return session_of(ctx).catalogue.in_commands(super().get_help(ctx))

    def invoke(self, ctx: click.Context) -> None:
        options = ctx.params
        arguments = {
            name.removeprefix("arg_"): value
            for name, value in options.items()
            if name.startswith("arg_") and value is not None
        }
        required = self.tool.input_schema.get("required") or []
        missing = [flag_of(name) for name in required if name not in arguments]
        if missing:
            raise click.UsageError(f"Missing {_listed(missing)}.", ctx)
        confirm_destructive(self.tool, bool(options.get("yes")))
        form = chosen_format(options["as_json"], options["output_format"])
        try:
            result = session_of(ctx).client().run(self.tool, arguments, options.get("idempotency_key"))
        except Refused as refusal:
            raise in_terms_of_flags(refusal, self.tool) from None
        print_result(result, form)


def argument_options(tool: Tool) -> list[click.Option]:
    """One option an argument; none is `required` for click, so that all the missing ones are told at once."""
    root = tool.input_schema
    required = set(root.get("required") or [])
    options = []
    for name, raw in (root.get("properties") or {}).items():
        leaf = schema.resolve(raw, root)
        flag = flag_of(name)
        text = _help(leaf, root, name in required)
        if schema.kinds(leaf, root) == {"boolean"} and not schema.choices(leaf, root):
            options.append(
                click.Option([f"{flag}/--no-{flag[2:]}", f"arg_{name}"], is_flag=True, default=None, help=text)
            )
        else:
            options.append(click.Option([flag, f"arg_{name}"], type=ArgumentType(leaf, root), help=text))
    return options


def flag_of(argument: str) -> str:
    """`target_url` is `--target-url`; a name that the command itself uses becomes `--arg-NAME`."""
    name = argument.replace("_", "-")
    return f"--arg-{name}" if name in _TAKEN else f"--{name}"


def yes_option() -> click.Option:
    return click.Option(["--yes", "-y"], is_flag=True, help="Go ahead without asking.")


def idempotency_option() -> click.Option:
    return click.Option(
        ["--idempotency-key"],
        metavar="KEY",
        callback=_checked_key,
        help="Repeating a call under the same key within 24 hours does it only once.",
    )


def confirm_destructive(tool: Tool, yes: bool) -> None:
    """Ask before what cannot be undone; where nobody can answer, `--yes` must have been given."""
    if not tool.destructive or yes:
        return
    if not on_terminal():
        raise click.UsageError(f"“{tool.title}” cannot be undone. Add --yes to go ahead.")
    if not click.confirm(f"“{tool.title}” cannot be undone. Go ahead?", err=True):
        raise Failure("Nothing was done.")


def in_terms_of_flags(refusal: Refused, tool: Tool) -> Refused:
    """The same refusal, its issues naming flags instead of arguments."""
    known = tool.input_schema.get("properties") or {}
    for issue in refusal.issues:
        name, dot, rest = str(issue.get("path") or "").partition(".")
        if name in known:
            issue["path"] = flag_of(name) + dot + rest
    return refusal


def _help(leaf: schema.Schema, root: schema.Schema, required: bool) -> str:
    notes = []
    if required:
        notes.append("required")
    elif leaf.get("default") is not None:
        default = leaf["default"]
        notes.append(f"default: {str(default).lower() if isinstance(default, bool) else default}")
    if "minimum" in leaf or "maximum" in leaf:
        notes.append(f"{leaf.get('minimum', '')} to {leaf.get('maximum', '')}".strip())
    description = str(leaf.get("description") or "").strip()
    return " ".join([description, f"[{'; '.join(notes)}]" if notes else ""]).strip()


def _checked_key(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not (0 < len(value) <= 256 and all(" " <= character <= "~" for character in value)):
        raise click.BadParameter("must be 1 to 256 plain ASCII characters.")
    return value


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
