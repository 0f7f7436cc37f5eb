"""`bin/workspace`: the commands of an instance's administrator."""

from __future__ import annotations

import os

import click

from workspace.environment import COMMAND
from workspace.interfaces.admin_cli.account_commands import add_account_commands, add_key_commands, add_mail_commands
from workspace.interfaces.admin_cli.backup_commands import add_backup_commands
from workspace.interfaces.admin_cli.command_errors import PlainErrorGroup
from workspace.interfaces.admin_cli.component_inventory import add_inventory_command
from workspace.interfaces.admin_cli.lazy_commands import load_module as _part


@click.group(cls=PlainErrorGroup, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run and manage an instance of Workspace Tools. Settings are environment variables (docs/settings.md)."""


def _lan_address() -> str:
    """Return this machine's address on the local network. Nothing is sent, because selecting a route is enough."""
    import socket  # noqa: PLC0415 - commands start without it

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            raise click.ClickException("No local network found. Connect to one, or omit --lan") from None


@main.command()
@click.option("--lan", is_flag=True, help="Listen on the local network, so that phones can scan QR codes.")
def serve(lan: bool) -> None:
    """Migrate the database, create a demo account if there are no accounts, and serve."""
    if lan:
        os.environ.setdefault("WORKSPACE_HOST", "0.0.0.0")  # noqa: S104 - the option requests it
        os.environ["WORKSPACE_LAN_ACCESS"] = "on"
        os.environ.setdefault("WORKSPACE_BASE_URL", f"http://{_lan_address()}:{os.environ.get('PORT') or 8000}")
    _part("serve").serve()


@main.command()
def worker() -> None:
    """Send queued messages and run jobs until stopped, for servers with WORKSPACE_BACKGROUND_WORKER=off."""
    _part("serve").run_worker()


@main.command()
def migrate() -> None:
    """Migrate the database."""
    _part("serve").migrate()


@main.command()
def demo() -> None:
    """Create a demo account and print its password and API key once."""
    _part("serve").fill_demo()


@main.group()
def account() -> None:
    """Manage accounts."""


@account.command("create")
@click.argument("email")
@click.option("--name", required=True, help="The business's name.")
@click.option("--plan", "chosen", multiple=True, metavar="PRODUCT=PLAN", help="Can be repeated for several products.")
@click.option("--time-zone", default="UTC", show_default=True)
@click.option("--admin", is_flag=True, help="Make this person an administrator and print a one-time sign-in link.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def account_create(email: str, name: str, chosen: tuple[str, ...], time_zone: str, admin: bool, as_json: bool) -> None:
    """Create an account for EMAIL and print its ID and a new API key."""
    _part("account_setup").create_account(
        email, name=name, plan_texts=chosen, time_zone=time_zone, admin=admin, as_json=as_json
    )


add_account_commands(account)


@main.command("sign-in")
@click.argument("email")
def sign_in(email: str) -> None:
    """Print a one-time sign-in link for EMAIL that expires after an hour."""
    _part("account_setup").print_sign_in_link(email)


@main.group("mfa")
def mfa() -> None:
    """Manage two-step verification."""


@mfa.command("reset")
@click.argument("email")
def mfa_reset(email: str) -> None:
    """Remove the authenticator app, passkeys and recovery codes of EMAIL.

    First make sure that the request is genuine."""
    _part("account_setup").reset_mfa(email)


@main.group()
def key() -> None:
    """Manage API keys."""


@key.command("create")
@click.argument("email")
@click.option("--name", default="Created by the administrator", show_default=True)
@click.option("--read-only", is_flag=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def key_create(email: str, name: str, read_only: bool, as_json: bool) -> None:
    """Create an API key for EMAIL's account and print it once."""
    _part("account_setup").create_key(email, name=name, read_only=read_only, as_json=as_json)


add_key_commands(key)


@main.group()
def mail() -> None:
    """Manage outgoing deliveries and incoming support emails."""


add_mail_commands(mail)


@main.group()
def plan() -> None:
    """Manage plans."""


@plan.command("set")
@click.argument("email")
@click.argument("product")
@click.argument("plan")
def plan_set(email: str, product: str, plan: str) -> None:
    """Set the PLAN of a PRODUCT for the account of EMAIL."""
    _part("account_setup").set_plan(email, product, plan)


@main.group("credits")
def event_credits() -> None:
    """Manage event credits. One credit publishes one program permanently."""


@event_credits.command("give")
@click.argument("account")
@click.argument("count", type=click.IntRange(1, 10_000))
@click.option(
    "--reason", default="Granted by the administrator", show_default=True, help="Shown to the account's owner."
)
def credits_give(account: str, count: int, reason: str) -> None:
    """Grant COUNT event credits to an ACCOUNT (its ID or its owner's email address)."""
    _part("account_setup").grant_credits(account, count, reason)


@main.command()
@click.argument("account")
@click.argument("chosen", nargs=-1, metavar="PRODUCT=PLAN…")
@click.option("--until", required=True, metavar="DATE", help="Last day, as YYYY-MM-DD.")
def grant(account: str, chosen: tuple[str, ...], until: str) -> None:
    """Grant plans, such as quote=pro, to an ACCOUNT (its ID or its owner's email address) until a date.

    Nothing is deleted when the plans end."""
    _part("account_setup").grant_plans(account, chosen, until)


@main.command()
@click.argument("id", type=int, required=False)
@click.argument("answer", type=click.Choice(["release", "deny"]), required=False)
def invites(id: int | None, answer: str | None) -> None:
    """List suspected self-invitations that are waiting for review.

    With an ID and an answer, release or deny the free month for both accounts."""
    _part("invite_rewards").decide_invitation(id, answer)


@main.command()
@click.argument("address")
@click.option("--reason", required=True, help="Only shown to administrators. Guests see that the page is unavailable.")
def ban(address: str, reason: str) -> None:
    """Take the public page at ADDRESS (https://…/q/CODE) offline."""
    _part("moderation").ban_address(address, reason)


@main.command()
@click.argument("address")
def unban(address: str) -> None:
    """Put the banned public page at ADDRESS back online."""
    _part("moderation").unban_address(address)


@main.command()
def reports() -> None:
    """List open abuse reports."""
    _part("moderation").list_reports()


@main.command()
def check() -> None:
    """Check this instance for problems. Exit with code 1 if there are any."""
    _part("checks").run_command()


add_backup_commands(main)


@main.command("rebuild-search")
def rebuild_search() -> None:
    """Rebuild the search index. The service does this automatically if the index is missing."""
    _part("maintenance").rebuild_search()


@main.group()
def person() -> None:
    """Export or erase a person's data in all accounts."""


@person.command("export")
@click.argument("address")
@click.option("--account", "owner", metavar="EMAIL", help="Only in this owner's account.")
def person_export(address: str, owner: str | None) -> None:
    """Print all data of an email ADDRESS or a phone number as JSON."""
    _part("personal_data").export_person(address, owner)


@person.command("erase")
@click.argument("address")
@click.option("--account", "owner", metavar="EMAIL", help="Only in this owner's account.")
@click.option(
    "--thing", "things", multiple=True, metavar="ID", help="Item to delete entirely, such as a card. Can be repeated."
)
@click.option("--yes", is_flag=True, help="Skip the confirmation.")
def person_erase(address: str, owner: str | None, things: tuple[str, ...], yes: bool) -> None:
    """Erase all data linked to an email ADDRESS or a phone number, immediately and permanently."""
    _part("personal_data").erase_person(address, owner, things, yes)


@main.command("rotate-keys")
def rotate_keys() -> None:
    """Create a new encryption key and encrypt all secrets with it. Earlier keys are kept for backups."""
    _part("maintenance").rotate_keys()


add_inventory_command(main)


@main.command("settings")
def show_settings() -> None:
    """Print the reference for all settings (docs/settings.md)."""
    from workspace.interfaces.admin_cli.settings_reference import render_settings_reference  # noqa: PLC0415 - commands start without it

    click.echo(render_settings_reference(), nl=False)


@main.command()
def catalog() -> None:
    """Print all tools as JSON, for the catalog included in the `svc` command."""
    _part("maintenance").print_catalog()


def run() -> None:
    """Run the command. `bin/workspace` and the program that is installed beside Python call this."""
    main(prog_name=COMMAND)


if __name__ == "__main__":
    run()
