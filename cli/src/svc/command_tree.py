"""The command tree: a lazy group that creates a command only when it is needed."""

from __future__ import annotations

import click

from svc.catalog import Words, split_words
from svc.errors import NetworkError
from svc.session import get_session


class WordGroup(click.Group):
    """The commands that start with certain words: `svc qr` contains create, list, update target, ..."""

    def __init__(self, words: Words, title: str = "") -> None:
        super().__init__(name=words[-1] if words else "svc", help=title)
        self.words = words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            # without a command, show what exists; this is not an error
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return get_session(ctx).catalog.next_words(self.words)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        words = (*self.words, *split_words(cmd_name))
        if words == self.words:
            return None
        catalogue = get_session(ctx).catalog
        tool = catalogue.find_by_words(words)
        if tool is not None:
            from svc.tool_command import ToolCommand

            return ToolCommand(tool)
        below = catalogue.list_below(words)
        return WordGroup(words, catalogue.group_title(words)) if below else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        unknown = not ctx.resilient_parsing and not args[0].startswith("-")
        if unknown and self.get_command(ctx, args[0]) is None:
            session = get_session(ctx)
            problem = session.fetch_catalog()
            if self.get_command(ctx, args[0]) is None:
                if problem and not session.catalog.tools:
                    raise NetworkError(problem)
                raise click.UsageError(self._describe_unknown(ctx, args, problem), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        tools = get_session(ctx).catalog.list_below(self.words)
        rows = [(" ".join(tool.name_parts[len(self.words) :]), tool.title) for tool in tools]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def _describe_unknown(self, ctx: click.Context, args: list[str], problem: str | None) -> str:
        typed = [argument for argument in args if not argument.startswith("-")]
        words = (*self.words, *(word for argument in typed for word in split_words(argument)))
        lines = [f"No such command: {' '.join(('svc', *self.words, args[0]))}"]
        near = self._find_nearest(ctx, args[0]) or get_session(ctx).catalog.nearest_command(words)
        lines.append(f"Did you mean: {near}" if near else "All commands: svc tools")
        if problem:
            lines.append("(The service did not respond, so newer commands may be missing.)")
        return "\n".join(lines)

    def _find_nearest(self, ctx: click.Context, typed: str) -> str | None:
        return None
