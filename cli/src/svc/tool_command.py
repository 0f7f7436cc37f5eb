"""A command made from a tool: one flag an argument, its help from the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from svc.argument_builder import Given, check_count, clearable, collect, listed, place_of
from svc.catalog import Tool
from svc.errors import Failure, Refused
from svc.file_transfer import save_job, sent
from svc.flags import DRY_RUN, ArgumentType, flag_of, flags_of
from svc.json_schema import resolve
from svc.list_items import ID, LIST, Entries, entries_of, main_argument
from svc.options import all_option, clear_option, csv_help, idempotency_option, items_option, yes_option
from svc.output import chosen_format, output_options, print_result, say
from svc.save_options import CSV_HELP, csv_option, save_option, save_result
from svc.session import on_terminal, session_of, verbose_option

if TYPE_CHECKING:
    from svc.client import Result

ADDED = "Added, as no --id was given; with --id ID it changes what is there."
WOULD_ADD = "It would add one, as no --id was given; with --id ID it changes what is there."


class ToolCommand(click.Command):
    """`svc qr create --name N ...`: posts what was given, leaves out what was not."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.entries = entries_of(tool)
        self.flags = flags_of(tool, self.entries)
        self.positional = main_argument(tool)
        self._dotted: list[tuple[str, str]] = []
        super().__init__(
            name=tool.words[-1],
            params=[*self._position(), *self.flags, *self._extras()],
            help=tool.description or tool.title,
            short_help=tool.title,
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, self._without_dotted(args))
        except (click.NoSuchOption, click.BadParameter):
            # The flag, or what it takes, may be newer than the catalogue at hand.
            session = session_of(ctx)
            session.fetch_catalogue()
            newer = session.catalogue.named(self.tool.name)
            if newer is None or newer == self.tool:
                raise
            ToolCommand.__init__(self, newer)
            ctx.params.clear()
            return super().parse_args(ctx, self._without_dotted(given))

    def get_help(self, ctx: click.Context) -> str:
        return session_of(ctx).catalogue.in_commands(super().get_help(ctx))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Flags in groups, so that an entry's own are told from those of the whole."""
        of_entry = [flag for flag in self.flags if flag.of_entry]
        own = [flag for flag in self.flags if not flag.of_entry and flag.path != DRY_RUN]
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        rest = [one for one in options if one not in own + of_entry]
        many = [one for one in rest if self.entries and one.name in (LIST, "csv")]
        rest = [one for one in rest if one not in many]
        noun = self.entries.noun if self.entries else ""
        for title, part in (
            ("Arguments", own),
            (f"One {noun}: with --id it is changed, without it is added" if noun else "", of_entry),
            ("Many in one call", many),
            ("Options", rest),
        ):
            rows = [record for one in part if (record := one.get_help_record(ctx))]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> None:
        arguments, added = self._arguments(ctx)
        dry_run = bool(arguments.get("dry_run"))
        if not dry_run:
            confirm_destructive(self.tool, bool(ctx.params.get("yes")))
        form = chosen_format(ctx.params["as_json"], ctx.params["output_format"])
        try:
            result = self._call(ctx, arguments)
        except Refused as refusal:
            raise in_terms_of_flags(refusal, self.tool, one_entry=LIST in arguments and added is not None) from None
        if self.tool.begins_file and ctx.params.get("save"):
            save_job(session_of(ctx).client(), self.tool, result, str(ctx.params["save"]))
            return
        if not self.entries and save_result(ctx, session_of(ctx).client(), result):
            return
        print_result(result._replace(text=session_of(ctx).catalogue.in_commands(result.text)), form, self.tool.columns)
        if added:
            say(WOULD_ADD if dry_run else ADDED)

    def _call(self, ctx: click.Context, arguments: dict[str, Any]) -> Result:
        client = session_of(ctx).client()
        arguments = sent(client, arguments)
        if not ctx.params.get("all"):
            return client.run(self.tool, arguments, ctx.params.get("idempotency_key"))
        from svc.pagination import every_page

        return every_page(client, self.tool, arguments)

    def _arguments(self, ctx: click.Context) -> tuple[dict[str, Any], bool | None]:
        """All arguments, and where the flags make one entry whether it is a new one."""
        given = collect(self.tool, self.entries, ctx, self.flags, self._dotted)
        position = ctx.params.get("position")
        if position and self.positional:
            several = isinstance(position, tuple)
            whole = [one for part in position for one in part] if several else position
            given.add((self.positional,), whole, False, ctx)
        entry = given.entry
        arguments = given.own
        if ctx.params.get("all") and {"limit", "offset"} & set(arguments):
            raise click.UsageError("--all fetches everything: leave out --limit and --offset.", ctx)
        if self.entries:
            arguments |= self._list(ctx, given, self.entries)
            if not set(arguments) - set(self.tool.input_schema.get("required") or []) - {"dry_run"}:
                raise click.UsageError(
                    f"Nothing to save. Give the fields of one {self.entries.noun} as flags, or many with --items or "
                    "--csv.",
                    ctx,
                )
        required = [name for name in self.tool.input_schema.get("required") or [] if name not in arguments]
        if entry is not None and self.entries and ID not in entry:
            required += [name for name in self.entries.root.get("required") or [] if name not in entry]
        if required:
            raise click.UsageError(f"Missing {_listed([flag_of(name) for name in required])}.", ctx)
        new = None if entry is None or not (self.entries and self.entries.has_id) else ID not in entry
        return arguments, new

    def _list(self, ctx: click.Context, given: Given, entries: Entries) -> dict[str, Any]:
        """The entries: one by its flags, or many by `--items` or `--csv`."""
        items, path = ctx.params.get(LIST), ctx.params.get("csv")
        ways = [f"{given.entry_flags()} (one {entries.noun})"] if given.makes_entry else []
        ways += ["--items (many)"] if items is not None else []
        ways += ["--csv (many)"] if path is not None else []
        if len(ways) > 1:
            raise click.UsageError(f"Give {' or '.join(ways)}, not both.", ctx)
        if given.makes_entry:
            return {LIST: [given.entry]}
        if items is not None:
            return {LIST: listed(self.tool, entries, items, ctx)}
        if path is None:
            return {}
        from svc.table_input import entries_in, text_in

        if entries.reads_csv:
            return {"csv": text_in(path)}
        found = entries_in(path, entries, self.tool.answers)
        check_count(self.tool, entries, len(found), ctx)
        return {LIST: found}

    def _without_dotted(self, args: list[str]) -> list[str]:
        """The flags that reach into lists and free objects (`--links.0.url`) are kept apart: they are no options."""
        self._dotted, rest = [], []
        known = {opt for flag in self.flags for opt in flag.opts + flag.secondary_opts}
        typed = iter(args)
        for text in typed:
            name, equals, value = text.removeprefix("--").partition("=")
            if text == "--":
                rest += [text, *typed]
            elif text.startswith("--") and "." in name and f"--{name}" not in known and self._leads_somewhere(name):
                following = value if equals else next(typed, None)
                if following is None:
                    raise click.BadOptionUsage(name, f"Option '--{name}' requires an argument.")
                self._dotted.append((name, following))
            else:
                rest.append(text)
        return rest

    def _leads_somewhere(self, name: str) -> bool:
        try:
            place_of(name, self.tool, self.entries)
        except LookupError:
            return False
        return True

    def _position(self) -> list[click.Parameter]:
        if self.positional is None:
            return []
        root = self.tool.input_schema
        leaf = resolve(root["properties"][self.positional], root)
        several = self.positional == "ids"
        return [
            click.Argument(
                ["position"],
                required=False,
                nargs=-1 if several else 1,
                type=ArgumentType(leaf, root),
                metavar=f"[{self.positional.upper()}]" + ("..." if several else ""),
            )
        ]

    def _extras(self) -> list[click.Parameter]:
        tool, extras = self.tool, []
        if self.entries:
            extras += [items_option(self.entries), csv_option(csv_help(self.entries))]
        elif tool.read_only:
            paged = {"limit", "offset"} <= set(tool.input_schema.get("properties") or {})
            extras += [all_option()] if paged else []
            extras += [csv_option(CSV_HELP)]
        if tool.answers_file or tool.begins_file:
            extras += [save_option(waits=tool.begins_file)]
        fields = [] if tool.read_only or tool.destructive else clearable(tool, self.entries)
        if fields and (self.positional or self.entries):
            extras.append(clear_option(fields))
        extras += output_options()
        if tool.destructive:
            extras.append(yes_option())
        if not tool.read_only:
            extras.append(idempotency_option())
        return [*extras, verbose_option()]


def confirm_destructive(tool: Tool, yes: bool) -> None:
    """Ask before what takes something away; where nobody can answer, `--yes` must have been given."""
    if not tool.destructive or yes:
        return
    if not on_terminal():
        raise click.UsageError(f"“{tool.title}” takes something away. Add --yes to go ahead.")
    if not click.confirm(f"“{tool.title}” takes something away. Go ahead?", err=True):
        raise Failure("Nothing was done.")


def in_terms_of_flags(refusal: Refused, tool: Tool, one_entry: bool = False) -> Refused:
    """The same refusal, its issues naming flags instead of arguments, also for the one entry that the flags made."""
    known = tool.input_schema.get("properties") or {}
    for issue in refusal.issues:
        path = str(issue.get("path") or "")
        if one_entry and path.startswith(f"{LIST}.0."):
            issue["path"] = flag_of(path.removeprefix(f"{LIST}.0."))
            continue
        name, dot, rest = path.partition(".")
        if name in known:
            issue["path"] = flag_of(name) + dot + rest
    return refusal


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
