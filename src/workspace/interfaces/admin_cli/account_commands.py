"""The administrator's commands for accounts, their API keys and their emails."""

from __future__ import annotations

import click

from workspace.interfaces.admin_cli.lazy_commands import load_module

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_yes_option = click.option("--yes", is_flag=True, help="Skip the confirmation.")


def add_account_commands(group: click.Group) -> None:  # noqa: C901 - one function for each command
    @group.command("list")
    @click.option("-q", "sought", default="", help="Part of a business's name or of an owner's email address.")
    @click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
    @_json_option
    def account_list(sought: str, limit: int, as_json: bool) -> None:
        """List accounts, newest first."""
        load_module("account_management").list_accounts(sought, limit, as_json)

    @group.command("usage")
    @click.argument("account")
    @_json_option
    def account_usage(account: str, as_json: bool) -> None:
        """Show the plans and usage of an ACCOUNT (its ID or its owner's email address)."""
        load_module("account_management").print_usage(account, as_json)

    @group.command("suspend")
    @click.argument("account")
    @click.option(
        "--reason", required=True, help="Only shown to administrators. Guests see that the pages are unavailable."
    )
    def account_suspend(account: str, reason: str) -> None:
        """Suspend an ACCOUNT: its members, API keys, connected apps and public pages. Nothing is deleted."""
        load_module("account_management").suspend_account(account, reason)

    @group.command("resume")
    @click.argument("account")
    def account_resume(account: str) -> None:
        """Resume a suspended ACCOUNT."""
        load_module("account_management").resume_account(account)

    @group.command("close")
    @click.argument("account")
    def account_close(account: str) -> None:
        """Close an ACCOUNT. The account goes offline immediately and is erased after 14 days."""
        load_module("account_management").start_closure(account)

    @group.command("cancel-closure")
    @click.argument("account")
    def account_cancel_closure(account: str) -> None:
        """Cancel the closure of an ACCOUNT."""
        load_module("account_management").cancel_closure(account)

    @group.command("export")
    @click.argument("names", nargs=-1, metavar="ACCOUNT FILE | --all FOLDER")
    @click.option("--all", "everything", is_flag=True, help="Export every account into the new FOLDER.")
    def account_export(names: tuple[str, ...], everything: bool) -> None:
        """Export an ACCOUNT (its ID or its owner's email address) to a new ZIP FILE, or all accounts to FOLDER."""
        if len(names) != (1 if everything else 2):
            raise click.UsageError("Enter ACCOUNT and FILE, or --all and FOLDER")
        transfer = load_module("account_transfer")
        transfer.export_all(names[0]) if everything else transfer.export_one(*names)

    @group.command("import")
    @click.argument("names", nargs=-1, metavar="ACCOUNT FILE | --all FOLDER")
    @click.option(
        "--all", "everything", is_flag=True, help="Import every account in a FOLDER created by `export --all`."
    )
    def account_import(names: tuple[str, ...], everything: bool) -> None:
        """Import an exported FILE into an empty ACCOUNT. If anything fails, nothing is imported.

        With --all, create the accounts in FOLDER and their owners first. Existing accounts are left unchanged."""
        if len(names) != (1 if everything else 2):
            raise click.UsageError("Enter ACCOUNT and FILE, or --all and FOLDER")
        transfer = load_module("account_transfer")
        transfer.import_all(names[0]) if everything else transfer.import_one(*names)

    @group.command("delete")
    @click.argument("account")
    @_yes_option
    def account_delete(account: str, yes: bool) -> None:
        """Delete an ACCOUNT and everything it owns, immediately and permanently."""
        load_module("account_management").delete_account(account, yes)

    @group.command("change-email")
    @click.argument("email")
    @click.argument("new_email")
    def account_change_email(email: str, new_email: str) -> None:
        """Change the sign-in address EMAIL to NEW_EMAIL. First make sure that the request is genuine."""
        load_module("account_management").change_email(email, new_email)


def add_key_commands(group: click.Group) -> None:
    @group.command("list")
    @click.argument("account")
    @_json_option
    def key_list(account: str, as_json: bool) -> None:
        """List the API keys of an ACCOUNT (its ID or its owner's email address)."""
        load_module("account_management").list_keys(account, as_json)

    @group.command("revoke")
    @click.argument("key")
    def key_revoke(key: str) -> None:
        """Revoke a KEY (its ID or the key itself) immediately and permanently."""
        load_module("account_management").revoke_key(key)


def add_mail_commands(group: click.Group) -> None:
    @group.command("receive")
    @click.option("--from", "sender", metavar="ADDRESS", help="Envelope sender. Empty for a bounce.")
    @click.option("--to", "recipients", multiple=True, metavar="ADDRESS", help="Envelope recipient. Can be repeated.")
    def mail_receive(sender: str | None, recipients: tuple[str, ...]) -> None:
        """Receive a support email that a mail server pipes to standard input.

        Exit codes follow sysexits: 75 if the mail server should try again later, 65 if the email is not accepted."""
        load_module("inbound_mail").receive_mail(sender, recipients)

    @group.command("inbox")
    @click.option("--held", is_flag=True, help="Only emails waiting for review.")
    @_json_option
    def mail_inbox(held: bool, as_json: bool) -> None:
        """List support emails of the last 30 days and their results."""
        load_module("inbound_mail").list_mails(held, as_json)

    @group.command("accept")
    @click.argument("id")
    def mail_accept(id: str) -> None:
        """Accept a held email by its ID as a support ticket."""
        load_module("inbound_mail").accept_mail(id)

    @group.command("failed")
    @_json_option
    def mail_failed(as_json: bool) -> None:
        """List failed deliveries that can be sent again: emails, webhooks, calendar events."""
        load_module("account_management").list_failed_deliveries(as_json)

    @group.command("resend")
    @click.argument("ids", nargs=-1)
    @click.option("--all", "everything", is_flag=True, help="All failed deliveries.")
    def mail_resend(ids: tuple[str, ...], everything: bool) -> None:
        """Resend the failed deliveries with these IDS."""
        load_module("account_management").resend_deliveries(ids, everything)
