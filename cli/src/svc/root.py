"""`svc` itself: its own commands beside those of the catalogue."""

from __future__ import annotations

import click

from svc.command_tree import WordGroup
from svc.session import VERBOSE_HELP, session_of

# Name -> (module, one line of help); modules are imported only when their command runs.
OWN = {
    "login": ("svc.commands.login", "Connect this computer to your account."),
    "logout": ("svc.commands.logout", "Forget the stored key."),
    "tools": ("svc.commands.tools", "List every command, grouped by product."),
    "call": ("svc.commands.call", "Call any tool by its name with JSON arguments."),
    "import": ("svc.commands.import_csv", "Send the rows of a CSV file."),
    "completion": ("svc.commands.completion", "Make the shell complete commands and flags."),
    "version": ("svc.commands.version", "Show the version."),
}


class Root(WordGroup):
    """The top of the tree."""

    def __init__(self) -> None:
        super().__init__((), "Workspace Tools from the terminal: QR codes, cards, menus and more.")
        self.params = [
            click.Option(["--profile"], metavar="NAME", expose_value=True, help="Which stored login (SVC_PROFILE)."),
            click.Option(["--verbose"], is_flag=True, help=VERBOSE_HELP),
            click.Option(
                ["--version"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_version,
                help="Show the version.",
            ),
        ]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*OWN, *(word for word in super().list_commands(ctx) if word not in OWN)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in OWN:
            from importlib import import_module

            command: click.Command = import_module(OWN[cmd_name][0]).command
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in OWN.items()])
        catalogue = session_of(ctx).catalogue
        rows = []
        for word in catalogue.next_words(()):
            tool = catalogue.at((word,))
            rows.append((word, tool.title if tool else catalogue.group_title((word,))))
        if rows:
            with formatter.section("Tools (each has --help)"):
                formatter.write_dl(rows)

    def _nearest(self, ctx: click.Context, typed: str) -> str | None:
        from difflib import get_close_matches

        found = get_close_matches(typed, OWN, 1, 0.75)
        return f"svc {found[0]}" if found else None


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from svc import __version__

        click.echo(f"svc {__version__}")
        ctx.exit()
