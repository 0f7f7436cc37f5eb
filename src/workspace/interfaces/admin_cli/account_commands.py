"""Commands by which the operator looks after accounts, their keys and their mail."""

from __future__ import annotations

import click

from workspace.interfaces.admin_cli.lazy_command import load_module

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


def add_account_commands(group: click.Group) -> None:  # noqa: C901 - one function for each command
    @group.command("list")
    @click.option("-q", "sought", default="", help="Part of a business's name or of an owner's e-mail.")
    @click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
    @_json_option
    def account_list(sought: str, limit: int, as_json: bool) -> None:
        """List accounts, the newest first."""
        load_module("account_care").list_accounts(sought, limit, as_json)

    @group.command("usage")
    @click.argument("account")
    @_json_option
    def account_usage(account: str, as_json: bool) -> None:
        """Tell what an ACCOUNT (its id or its owner's e-mail) has and uses."""
        load_module("account_care").print_usage(account, as_json)

    @group.command("suspend")
    @click.argument("account")
    @click.option("--reason", required=True, help="Kept for you; guests only see that the pages are not available.")
    def account_suspend(account: str, reason: str) -> None:
        """Take an ACCOUNT out of service: its people, keys, agents and public pages. Nothing is deleted."""
        load_module("account_care").suspend(account, reason)

    @group.command("resume")
    @click.argument("account")
    def account_resume(account: str) -> None:
        """Put a suspended ACCOUNT back into service."""
        load_module("account_care").resume(account)

    @group.command("close")
    @click.argument("account")
    def account_close(account: str) -> None:
        """Close an ACCOUNT as its owner would: dark at once, erased after 14 days."""
        load_module("account_care").start_closure(account)

    @group.command("keep")
    @click.argument("account")
    def account_keep(account: str) -> None:
        """Take back that an ACCOUNT is being closed."""
        load_module("account_care").cancel_closure(account)

    @group.command("export")
    @click.argument("names", nargs=-1, metavar="ACCOUNT FILE | --all FOLDER")
    @click.option("--all", "everything", is_flag=True, help="Export every account into the new FOLDER.")
    def account_export(names: tuple[str, ...], everything: bool) -> None:
        """Write an ACCOUNT (its id or its owner's email) into the new FILE, a ZIP, or every account into FOLDER."""
        if len(names) != (1 if everything else 2):
            raise click.UsageError("Give ACCOUNT and FILE, or --all and FOLDER")
        transfer = load_module("account_transfer")
        transfer.export_all(names[0]) if everything else transfer.export_one(*names)

    @group.command("import")
    @click.argument("names", nargs=-1, metavar="ACCOUNT FILE | --all FOLDER")
    @click.option("--all", "everything", is_flag=True, help="Import every account of a FOLDER that `export` has made.")
    def account_import(names: tuple[str, ...], everything: bool) -> None:
        """Import an exported FILE into an empty ACCOUNT: everything, or nothing. With --all, create the accounts of a
        FOLDER and their owners first; an account that is here already is left as it is."""
        if len(names) != (1 if everything else 2):
            raise click.UsageError("Give ACCOUNT and FILE, or --all and FOLDER")
        transfer = load_module("account_transfer")
        transfer.import_all(names[0]) if everything else transfer.import_one(*names)

    @group.command("delete")
    @click.argument("account")
    @_yes_option
    def account_delete(account: str, yes: bool) -> None:
        """Delete an ACCOUNT with all that it owns, at once. Nothing brings it back."""
        load_module("account_care").delete(account, yes)

    @group.command("readdress")
    @click.argument("email")
    @click.argument("new_email")
    def account_readdress(email: str, new_email: str) -> None:
        """Let who signs in as EMAIL sign in as NEW_EMAIL. Make sure first that it is they who ask."""
        load_module("account_care").change_email(email, new_email)


def add_key_commands(group: click.Group) -> None:
    @group.command("list")
    @click.argument("account")
    @_json_option
    def key_list(account: str, as_json: bool) -> None:
        """List the API keys of an ACCOUNT (its id or its owner's e-mail)."""
        load_module("account_care").list_keys(account, as_json)

    @group.command("revoke")
    @click.argument("key")
    def key_revoke(key: str) -> None:
        """Revoke a KEY, named by its id or by the key itself, as where it has leaked. At once and for good."""
        load_module("account_care").revoke_key(key)


def add_mail_commands(group: click.Group) -> None:
    @group.command("in")
    @click.option("--from", "sender", metavar="ADDRESS", help="The envelope's sender; an empty one is a bounce.")
    @click.option("--to", "recipients", multiple=True, metavar="ADDRESS", help="An envelope's recipient; repeatable.")
    def mail_in(sender: str | None, recipients: tuple[str, ...]) -> None:
        """Take a mail to support from standard input, as a mail server pipes it. Exits as those expect: 75 when it
        should come again later, 65 for a mail that cannot be taken."""
        load_module("inbound_mail").receive_mail(sender, recipients)

    @group.command("arrived")
    @click.option("--held", is_flag=True, help="Only those that wait for you.")
    @_json_option
    def mail_arrived(held: bool, as_json: bool) -> None:
        """List the mails to support of the last 30 days, and what became of them."""
        load_module("inbound_mail").list_mails(held, as_json)

    @group.command("accept")
    @click.argument("id")
    def mail_accept(id: str) -> None:
        """Make a question of a mail that was held, named by its ID."""
        load_module("inbound_mail").accept_mail(id)

    @group.command("parked")
    @_json_option
    def mail_parked(as_json: bool) -> None:
        """List what was given up and can still be sent: mail, webhooks, calendars."""
        load_module("account_care").list_failed(as_json)

    @group.command("resend")
    @click.argument("ids", nargs=-1)
    @click.option("--all", "everything", is_flag=True, help="All that was given up.")
    def mail_resend(ids: tuple[str, ...], everything: bool) -> None:
        """Send what was given up after all, named by IDS."""
        load_module("account_care").resend(ids, everything)
