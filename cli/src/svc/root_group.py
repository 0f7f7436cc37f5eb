"""The root of the command tree: svc's own commands in addition to those of the catalog."""

from __future__ import annotations

import click

from svc.command_tree import WordGroup
from svc.session import VERBOSE_HELP, get_session

# Name -> (module, one line of help). Modules are imported only when their command runs.
OWN_COMMANDS = {
    "login": ("svc.commands.login", "Connect this computer to your account."),
    "logout": ("svc.commands.logout", "Delete the saved key."),
    "tools": ("svc.commands.tools", "List all commands, grouped by product."),
    "call": ("svc.commands.call", "Call any tool by its name with JSON arguments."),
    "import": ("svc.commands.import_csv", "Send the rows of a CSV file."),
    "completion": ("svc.commands.completion", "Set up completion of commands and flags in your shell."),
    "version": ("svc.commands.version", "Show the version."),
}


class RootGroup(WordGroup):
    """The root of the command tree."""

    def __init__(self) -> None:
        super().__init__((), "Workspace Tools in the terminal: QR codes, cards, menus and more.")
        self.params = [
            click.Option(["--profile"], metavar="NAME", expose_value=True, help="Saved login to use (SVC_PROFILE)."),
            click.Option(["--verbose"], is_flag=True, help=VERBOSE_HELP),
            click.Option(
                ["--version"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_print_version,
                help="Show the version.",
            ),
        ]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*OWN_COMMANDS, *(word for word in super().list_commands(ctx) if word not in OWN_COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in OWN_COMMANDS:
            from importlib import import_module

            command: click.Command = import_module(OWN_COMMANDS[cmd_name][0]).command
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in OWN_COMMANDS.items()])
        catalogue = get_session(ctx).catalog
        rows = []
        for word in catalogue.next_words(()):
            tool = catalogue.find_by_words((word,))
            rows.append((word, tool.title if tool else catalogue.group_title((word,))))
        if rows:
            with formatter.section("Tools (add --help for details)"):
                formatter.write_dl(rows)

    def _find_nearest(self, ctx: click.Context, typed: str) -> str | None:
        from difflib import get_close_matches

        found = get_close_matches(typed, OWN_COMMANDS, 1, 0.75)
        return f"svc {found[0]}" if found else None


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from svc import __version__

        click.echo(f"svc {__version__}")
        ctx.exit()
