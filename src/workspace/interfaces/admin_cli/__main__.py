"""`bin/workspace`: the commands of an instance's administrator."""

from __future__ import annotations

import os

import click

from workspace.environment import COMMAND
from workspace.interfaces.admin_cli.account_commands import add_account_commands, add_key_commands, add_mail_commands
from workspace.interfaces.admin_cli.backup_commands import add_backup_commands
from workspace.interfaces.admin_cli.error_group import PlainErrorGroup
from workspace.interfaces.admin_cli.inventory import add_inventory_command
from workspace.interfaces.admin_cli.lazy_command import load_module as _part


@click.group(cls=PlainErrorGroup, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run and look after an installation of Workspace Tools. Settings come from the environment: docs/settings.md."""


def _lan_address() -> str:
    """Return this machine's address on the local network. It sends nothing: selecting a route is enough."""
    import socket  # noqa: PLC0415 - commands start without it

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            raise click.ClickException("No local network was found: connect to one, or leave out --lan") from None


@main.command()
@click.option("--lan", is_flag=True, help="Listen on the local network, so that a phone can scan.")
def serve(lan: bool) -> None:
    """Migrate, fill in a demo where there is nothing yet, and serve."""
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
    """Bring the database up to date."""
    _part("serve").migrate()


@main.command()
def demo() -> None:
    """Fill in a demo account and print its password and API key once."""
    _part("serve").fill_demo()


@main.group()
def account() -> None:
    """Accounts."""


@account.command("create")
@click.argument("email")
@click.option("--name", required=True, help="The business's name.")
@click.option("--plan", "chosen", multiple=True, metavar="PRODUCT=PLAN", help="Repeat for several products.")
@click.option("--time-zone", default="UTC", show_default=True)
@click.option("--admin", is_flag=True, help="Make this person an operator and print a one-time sign-in link.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def account_create(email: str, name: str, chosen: tuple[str, ...], time_zone: str, admin: bool, as_json: bool) -> None:
    """Make an account for EMAIL and print its id and a fresh API key."""
    _part("accounts").create_account(email, name=name, chosen=chosen, time_zone=time_zone, admin=admin, as_json=as_json)


add_account_commands(account)


@main.command("sign-in")
@click.argument("email")
def sign_in(email: str) -> None:
    """Print a link by which EMAIL can sign in once, within the hour."""
    _part("accounts").print_sign_in_link(email)


@main.group("second-step")
def second_step() -> None:
    """What guards a sign-in beside the password."""


@second_step.command("remove")
@click.argument("email")
def second_step_remove(email: str) -> None:
    """Remove the second step that EMAIL has lost: authenticator app, passkeys and recovery codes. Make sure first that
    it is they who ask."""
    _part("accounts").remove_second_step(email)


@main.group()
def key() -> None:
    """API keys."""


@key.command("create")
@click.argument("email")
@click.option("--name", default="Made by the operator", show_default=True)
@click.option("--read-only", is_flag=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def key_create(email: str, name: str, read_only: bool, as_json: bool) -> None:
    """Make an API key for EMAIL's account and print it once."""
    _part("accounts").create_key(email, name=name, read_only=read_only, as_json=as_json)


add_key_commands(key)


@main.group()
def mail() -> None:
    """Mail that leaves."""


add_mail_commands(mail)


@main.group()
def plan() -> None:
    """Plans."""


@plan.command("set")
@click.argument("email")
@click.argument("product")
@click.argument("plan")
def plan_set(email: str, product: str, plan: str) -> None:
    """Put EMAIL's account on a PLAN of a PRODUCT."""
    _part("accounts").set_plan(email, product, plan)


@main.group("credits")
def event_credits() -> None:
    """Event credits: each publishes one program, for ever."""


@event_credits.command("give")
@click.argument("account")
@click.argument("count", type=click.IntRange(1, 10_000))
@click.option("--reason", default="Given by the operator", show_default=True, help="The account's owner reads it.")
def credits_give(account: str, count: int, reason: str) -> None:
    """Give an ACCOUNT, named by its id or its owner's e-mail, so many event credits more."""
    _part("accounts").grant_credits(account, count, reason)


@main.command()
@click.argument("account")
@click.argument("chosen", nargs=-1, metavar="PRODUCT=PLAN…")
@click.option("--until", required=True, metavar="DATE", help="The last day, as YYYY-MM-DD.")
def grant(account: str, chosen: tuple[str, ...], until: str) -> None:
    """Give ACCOUNT (an e-mail address or an id) plans through a day: quote=pro. Nothing is deleted behind it."""
    _part("accounts").grant_plans(account, chosen, until)


@main.command()
@click.argument("id", type=int, required=False)
@click.argument("answer", type=click.Choice(["release", "deny"]), required=False)
def invites(id: int | None, answer: str | None) -> None:
    """List invitations whose free months are held, since somebody may have invited themselves; with ID and an answer,
    give both sides their month after all, or neither."""
    _part("invites").decide_invitation(id, answer)


@main.command()
@click.argument("address")
@click.option("--reason", required=True, help="Kept for you; guests only see that the page is not available.")
def ban(address: str, reason: str) -> None:
    """Take a public ADDRESS (https://…/q/CODE) out of service."""
    _part("moderation").ban_address(address, reason)


@main.command()
@click.argument("address")
def unban(address: str) -> None:
    """Put a banned public ADDRESS back into service."""
    _part("moderation").unban_address(address)


@main.command()
def reports() -> None:
    """List the reports of abuse that are still open."""
    _part("moderation").list_reports()


@main.command()
def check() -> None:
    """Look for what is wrong with this installation; exits with 1 when something is."""
    _part("checks").check()


add_backup_commands(main)


@main.command("rebuild-search")
def rebuild_search() -> None:
    """Write the words by which things are searched anew. The service does so by itself where they are missing."""
    _part("maintenance").rebuild_search()


@main.group()
def person() -> None:
    """One person's data, over all accounts: when somebody asks what is known of them, or to be erased."""


@person.command("export")
@click.argument("address")
@click.option("--account", "owner", metavar="EMAIL", help="Of this owner's account only.")
def person_export(address: str, owner: str | None) -> None:
    """Print as JSON what is known of an e-mail ADDRESS or a phone number."""
    _part("privacy").export_person(address, owner)


@person.command("erase")
@click.argument("address")
@click.option("--account", "owner", metavar="EMAIL", help="From this owner's account only.")
@click.option("--thing", "things", multiple=True, metavar="ID", help="An owner's thing that goes whole: a card.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def person_erase(address: str, owner: str | None, things: tuple[str, ...], yes: bool) -> None:
    """Erase what is known of an e-mail ADDRESS or a phone number, at once and everywhere. Nothing brings it back."""
    _part("privacy").erase_person(address, owner, things, yes)


@main.command("rotate-keys")
def rotate_keys() -> None:
    """Make a new key for secrets at rest and seal everything with it. Earlier keys stay: backups need them."""
    _part("maintenance").rotate_keys()


add_inventory_command(main)


@main.command("settings")
def show_settings() -> None:
    """Print the page of all settings (docs/settings.md)."""
    from workspace.interfaces.admin_cli.settings_page import render_settings_page  # noqa: PLC0415 - commands start without it

    click.echo(render_settings_page(), nl=False)


@main.command()
def catalogue() -> None:
    """Print the tools as JSON: the snapshot that the `svc` command carries."""
    _part("maintenance").print_catalog()


def run() -> None:
    """Run the command, as installed beside Python and as `bin/workspace` calls it."""
    main(prog_name=COMMAND)


if __name__ == "__main__":
    run()
