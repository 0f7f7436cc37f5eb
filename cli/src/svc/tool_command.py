"""A command built from a tool. Each argument has a flag, with help text from the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from svc.argument_builder import (
    ArgumentValues,
    check_count,
    check_entries,
    collect_arguments,
    list_clearable_fields,
    resolve_place,
)
from svc.catalog import Tool
from svc.entry_schema import ID, LIST, EntrySchema, find_entry_schema, main_argument
from svc.errors import CliError, ToolRefusedError
from svc.file_transfer import save_job_file, upload_zip
from svc.flags import DRY_RUN, ArgumentType, flag_name, flags_for
from svc.json_schema import resolve_schema
from svc.options import all_option, clear_option, csv_help, idempotency_option, items_option, yes_option
from svc.output import choose_format, output_options, print_message, print_result
from svc.save_options import CSV_HELP, csv_option, save_option, save_result
from svc.session import get_session, is_on_terminal, verbose_option

if TYPE_CHECKING:
    from svc.client import Result

ADDED_MESSAGE = "Added a new entry because --id was not set. To update an entry, use --id ID."
WOULD_ADD_MESSAGE = "This would add a new entry because --id was not set. To update an entry, use --id ID."


class ToolCommand(click.Command):
    """A command such as `svc qr create --name N ...`. It sends the given arguments and omits all others."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.entries = find_entry_schema(tool)
        self.flags = flags_for(tool, self.entries)
        self.positional = main_argument(tool)
        self._dotted_flags: list[tuple[str, str]] = []
        super().__init__(
            name=tool.name_parts[-1],
            params=[*self._positional_parameters(), *self.flags, *self._extra_options()],
            help=tool.description or tool.title,
            short_help=tool.title,
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, self._extract_dotted_flags(args))
        except (click.NoSuchOption, click.BadParameter):
            # The flag, or its values, may be newer than the cached catalog.
            session = get_session(ctx)
            session.fetch_catalog()
            newer = session.catalog.find_by_name(self.tool.name)
            if newer is None or newer == self.tool:
                raise
            ToolCommand.__init__(self, newer)
            ctx.params.clear()
            return super().parse_args(ctx, self._extract_dotted_flags(given))

    def get_help(self, ctx: click.Context) -> str:
        return get_session(ctx).catalog.replace_tool_names(super().get_help(ctx))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Format the flags in groups, so that those of an entry are separate from those of the whole call."""
        of_entry = [flag for flag in self.flags if flag.of_entry]
        own = [flag for flag in self.flags if not flag.of_entry and flag.path != DRY_RUN]
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        rest = [one for one in options if one not in own + of_entry]
        many = [one for one in rest if self.entries and one.name in (LIST, "csv")]
        rest = [one for one in rest if one not in many]
        noun = self.entries.noun if self.entries else ""
        for title, part in (
            ("Arguments", own),
            (f"One {noun} (updated with --id, otherwise added)" if noun else "", of_entry),
            ("Several in one call", many),
            ("Options", rest),
        ):
            rows = [record for one in part if (record := one.get_help_record(ctx))]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> None:
        arguments, added = self._collect_arguments(ctx)
        dry_run = bool(arguments.get("dry_run"))
        if not dry_run:
            confirm_destructive(self.tool, bool(ctx.params.get("yes")))
        form = choose_format(ctx.params["as_json"], ctx.params["output_format"])
        try:
            result = self._call_tool(ctx, arguments)
        except ToolRefusedError as refusal:
            raise rename_issues_to_flags(
                refusal, self.tool, one_entry=LIST in arguments and added is not None
            ) from None
        if self.tool.starts_file_job and ctx.params.get("save"):
            save_job_file(get_session(ctx).create_client(), self.tool, result, str(ctx.params["save"]))
            return
        if not self.entries and save_result(ctx, get_session(ctx).create_client(), result):
            return
        print_result(
            result._replace(text=get_session(ctx).catalog.replace_tool_names(result.text)), form, self.tool.columns
        )
        if added:
            print_message(WOULD_ADD_MESSAGE if dry_run else ADDED_MESSAGE)

    def _call_tool(self, ctx: click.Context, arguments: dict[str, Any]) -> Result:
        client = get_session(ctx).create_client()
        arguments = upload_zip(client, arguments)
        if not ctx.params.get("all"):
            return client.run(self.tool, arguments, ctx.params.get("idempotency_key"))
        from svc.pagination import fetch_all_pages

        return fetch_all_pages(client, self.tool, arguments)

    def _collect_arguments(self, ctx: click.Context) -> tuple[dict[str, Any], bool | None]:
        """Return all arguments, and whether the flags build a new entry (None if they build no entry)."""
        given = collect_arguments(self.tool, self.entries, ctx, self.flags, self._dotted_flags)
        position = ctx.params.get("position")
        if position and self.positional:
            several = isinstance(position, tuple)
            whole = [one for part in position for one in part] if several else position
            given.add_value((self.positional,), whole, False, ctx)
        entry = given.entry
        arguments = given.tool_arguments
        if ctx.params.get("all") and {"limit", "offset"} & set(arguments):
            raise click.UsageError("--all fetches everything: leave out --limit and --offset.", ctx)
        if self.entries:
            arguments |= self._collect_entries(ctx, given, self.entries)
            if not set(arguments) - set(self.tool.input_schema.get("required") or []) - {"dry_run"}:
                raise click.UsageError(
                    f"Nothing to save. Set the fields of one {self.entries.noun} as flags, or use --items or --csv for "
                    "several.",
                    ctx,
                )
        required = [name for name in self.tool.input_schema.get("required") or [] if name not in arguments]
        if entry is not None and self.entries and ID not in entry:
            required += [name for name in self.entries.root.get("required") or [] if name not in entry]
        if required:
            raise click.UsageError(f"Missing {_join_names([flag_name(name) for name in required])}.", ctx)
        new = None if entry is None or not (self.entries and self.entries.has_id) else ID not in entry
        return arguments, new

    def _collect_entries(self, ctx: click.Context, given: ArgumentValues, entries: EntrySchema) -> dict[str, Any]:
        """Return the entries: one from the flags, or many from `--items` or `--csv`."""
        items, path = ctx.params.get(LIST), ctx.params.get("csv")
        sources = [f"{given.format_entry_flags()} (one {entries.noun})"] if given.has_entry else []
        sources += ["--items (many)"] if items is not None else []
        sources += ["--csv (many)"] if path is not None else []
        if len(sources) > 1:
            raise click.UsageError(f"Use only one of {' or '.join(sources)}.", ctx)
        if given.has_entry:
            return {LIST: [given.entry]}
        if items is not None:
            return {LIST: check_entries(self.tool, entries, items, ctx)}
        if path is None:
            return {}
        from svc.table_input import read_entries, read_text

        if entries.reads_csv:
            return {"csv": read_text(path)}
        found = read_entries(path, entries, self.tool.answer_fields)
        check_count(self.tool, entries, len(found), ctx)
        return {LIST: found}

    def _extract_dotted_flags(self, args: list[str]) -> list[str]:
        """Separate undeclared flags that refer into lists and free objects (`--links.0.url`)."""
        self._dotted_flags, rest = [], []
        known = {opt for flag in self.flags for opt in flag.opts + flag.secondary_opts}
        typed = iter(args)
        for text in typed:
            name, equals, value = text.removeprefix("--").partition("=")
            if text == "--":
                rest += [text, *typed]
            elif text.startswith("--") and "." in name and f"--{name}" not in known and self._is_known_place(name):
                following = value if equals else next(typed, None)
                if following is None:
                    raise click.BadOptionUsage(name, f"Option '--{name}' requires an argument.")
                self._dotted_flags.append((name, following))
            else:
                rest.append(text)
        return rest

    def _is_known_place(self, name: str) -> bool:
        try:
            resolve_place(name, self.tool, self.entries)
        except LookupError:
            return False
        return True

    def _positional_parameters(self) -> list[click.Parameter]:
        if self.positional is None:
            return []
        root = self.tool.input_schema
        leaf = resolve_schema(root["properties"][self.positional], root)
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

    def _extra_options(self) -> list[click.Parameter]:
        tool, extras = self.tool, []
        if self.entries:
            extras += [items_option(self.entries), csv_option(csv_help(self.entries))]
        elif tool.read_only:
            paged = {"limit", "offset"} <= set(tool.input_schema.get("properties") or {})
            extras += [all_option()] if paged else []
            extras += [csv_option(CSV_HELP)]
        if tool.returns_file or tool.starts_file_job:
            extras += [save_option(waits=tool.starts_file_job)]
        fields = [] if tool.read_only or tool.destructive else list_clearable_fields(tool, self.entries)
        if fields and (self.positional or self.entries):
            extras.append(clear_option(fields))
        extras += output_options()
        if tool.destructive:
            extras.append(yes_option())
        if not tool.read_only:
            extras.append(idempotency_option())
        return [*extras, verbose_option()]


def confirm_destructive(tool: Tool, yes: bool) -> None:
    """Ask for confirmation before a destructive call. If no one can answer, `--yes` is required."""
    if not tool.destructive or yes:
        return
    if not is_on_terminal():
        raise click.UsageError(f"“{tool.title}” is destructive. Add --yes to continue.")
    if not click.confirm(f"“{tool.title}” is destructive. Continue?", err=True):
        raise CliError("Nothing was changed.")


def rename_issues_to_flags(refusal: ToolRefusedError, tool: Tool, one_entry: bool = False) -> ToolRefusedError:
    """Return the error with flags instead of arguments in its issues, including those of an entry built from flags."""
    known = tool.input_schema.get("properties") or {}
    for issue in refusal.issues:
        path = str(issue.get("path") or "")
        if one_entry and path.startswith(f"{LIST}.0."):
            issue["path"] = flag_name(path.removeprefix(f"{LIST}.0."))
            continue
        name, dot, rest = path.partition(".")
        if name in known:
            issue["path"] = flag_name(name) + dot + rest
    return refusal


def _join_names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
