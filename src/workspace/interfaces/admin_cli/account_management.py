"""Management of accounts for the administrator's command."""

from __future__ import annotations

import json
from typing import Any

import click
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Q

from workspace.accounts import plans
from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Account, ApiKey
from workspace.accounts.models.api_key import hash_secret, is_well_formed
from workspace.delivery.models import Delivery, DeliveryState
from workspace.interfaces.admin_cli.account_setup import get_person
from workspace.interfaces.admin_cli.account_usage import AccountUsage, compute_usage, search_owners
from workspace.interfaces.sign_in import email_change
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.publishing.account_lifecycle import closure_grace_period, suspension
from workspace.storage.database.transactions import write_transaction


def get_account(account_ref: str) -> Account:
    """Return an account, suspended or not, by its id or its owner's email."""
    found = Account.objects.filter(pk=account_ref.strip()).first()
    if found is None:
        person = get_person(account_ref)
        found = Account.objects.filter(memberships__person=person).order_by("memberships__id").first()
    if found is None:
        raise click.ClickException(f"{account_ref} does not belong to an account")
    return found


def list_accounts(query: str, limit: int, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {
            "id": one.account.pk,
            "name": one.account.name,
            "owner": one.person.email,
            "since": clock.to_iso(one.account.created_at),
            "suspended": one.account.banned_at is not None,
            "suspended_for": one.account.ban_reason,
            "closes": clock.to_iso(one.account.closes_at) if one.account.closes_at else None,
        }
        for one in search_owners(query)[:limit]
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        mark = "  SUSPENDED" if row["suspended"] else ""
        mark += f"  CLOSES {row['closes'][:10]}" if row["closes"] else ""
        click.echo(f"{row['id']}  {row['since'][:10]}  {row['owner']}  {row['name']}{mark}")
    if not rows:
        click.echo("No accounts found." if query else "There are no accounts yet.")


def print_usage(account_ref: str, as_json: bool) -> None:
    found: AccountUsage = compute_usage(get_account(account_ref))
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    click.echo(f"{found['name']} ({found['id']}), of {found['owner']}, since {found['since'][:10]}")
    if found["suspended_since"]:
        reason = f": {found['suspended_for']}" if found["suspended_for"] else ""
        click.echo(f"  SUSPENDED since {found['suspended_since']}{reason}")
    if found["closes"]:
        click.echo(f"  CLOSES on {found['closes']}; cancel with `account cancel-closure {found['id']}`")
    for key, plan in found["plans"].items():
        things = found["things"].get(key, 0)
        click.echo(f"  {plans.PRODUCTS[key].title:18} {plan:10} {things:>8,} published")
    click.echo(f"  {found['visits']:,} visits, {found['calls_today']:,} calls today, {found['keys']} active keys")
    click.echo(f"  {found['upload_bytes'] / 1_000_000:,.1f} MB of uploads in {found['uploads']:,} files")
    click.echo(f"  {found['waiting']} deliveries waiting, {found['parked']} failed")


def suspend_account(account_ref: str, reason: str) -> None:
    account = get_account(account_ref)
    if account.banned_at:
        raise click.ClickException(
            f"{account.name} is already suspended. To resume it, run `account resume {account.pk}`."
        )
    pages = suspension.suspend_account(account, reason)
    click.echo(f"Suspended {account.name} with {pages} public pages. To resume it, run `account resume {account.pk}`.")


def resume_account(account_ref: str) -> None:
    account = get_account(account_ref)
    if not account.banned_at:
        raise click.ClickException(f"{account.name} is not suspended.")
    click.echo(f"Resumed {account.name} with {suspension.resume_account(account)} public pages.")


def start_closure(account_ref: str) -> None:
    account = get_account(account_ref)
    if account.closes_at is not None:
        raise click.ClickException(
            f"{account.name} is already being closed. It will be deleted on {clock.to_iso(account.closes_at)}."
        )
    account = closure_grace_period.start_closure(account)
    click.echo(
        f"Closed {account.name}. It will be erased on {clock.to_iso(account.closes_at)}. To cancel, run "
        f"`account cancel-closure {account.pk}`. To erase it now, run `account delete`."
    )


def cancel_closure(account_ref: str) -> None:
    account = get_account(account_ref)
    if account.closes_at is None:
        raise click.ClickException(f"{account.name} is not being closed.")
    try:
        pages = closure_grace_period.cancel_closure(account)
    except ToolError as refusal:
        raise click.ClickException(refusal.message) from None
    click.echo(f"Canceled the closure of {account.name}, with {pages} public pages.")


def delete_account(account_ref: str, yes: bool) -> None:
    account = get_account(account_ref)
    if not yes:
        click.confirm(f"Permanently delete {account.name} ({account.pk}) and everything it owns?", abort=True)
    name = account.name
    purge_account(account)
    click.echo(f"Deleted {name}. Its public URLs return 410 Gone.")


def change_email(email: str, new_email: str) -> None:
    new_email = new_email.strip().lower()
    try:
        validate_email(new_email)
    except ValidationError:
        raise click.BadParameter(f"{new_email!r} is not an email address", param_hint="NEW_EMAIL") from None
    try:
        email_change.change_email(get_person(email), new_email)
    except ToolError as refusal:
        raise click.ClickException(refusal.message) from None
    click.echo(f"Changed the sign-in email to {new_email}. Both addresses get an email, and all sessions have ended.")


def list_keys(account_ref: str, as_json: bool) -> None:
    rows = [
        {
            "id": key.pk,
            "name": key.name,
            "begins": key.hint,
            "read_only": key.read_only,
            "made": clock.to_iso(key.created_at),
            "revoked": clock.to_iso(key.revoked_at) if key.revoked_at else None,
        }
        for key in get_account(account_ref).keys.order_by("-created_at")
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        state = f"revoked {str(row['revoked'])[:10]}" if row["revoked"] else "read only" if row["read_only"] else "live"
        click.echo(f"{row['id']}  {row['begins']}…  {state}  {row['name']}")
    if not rows:
        click.echo("No API keys.")


def revoke_key(key_ref: str) -> None:
    key_ref = key_ref.strip()
    which = Q(hash=hash_secret(key_ref)) if is_well_formed(key_ref) else Q(pk=key_ref)
    key = ApiKey.objects.filter(which).select_related("account").first()
    if key is None:
        raise click.ClickException("Key not found. `key list ACCOUNT` lists the keys of an account.")
    with write_transaction():
        key.revoke()
    click.echo(f"Revoked the key {key.name} of {key.account.name} ({key.account_id}).")


def list_failed_deliveries(as_json: bool) -> None:
    rows = [
        {"id": one.pk, "kind": one.kind, "since": clock.to_iso(one.created_at), "why": one.last_error}
        for one in _query_failed_deliveries().order_by("-created_at")[:1000]
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        click.echo(f"{row['id']}  {row['since']}  {row['kind']}  {row['why']}")
    if not rows:
        click.echo("No failed deliveries.")


def resend_deliveries(ids: tuple[str, ...], everything: bool) -> None:
    if everything == bool(ids):
        raise click.UsageError("Enter IDs (`mail failed` lists them), or --all")
    wanted = [one.pk for one in _query_failed_deliveries()] if everything else list(ids)
    sent = [id for id in wanted if Delivery.retry(id)]
    if missing := [id for id in wanted if id not in sent]:
        click.echo(f"Failed deliveries not found: {', '.join(missing)}", err=True)
    click.echo(f"{len(sent)} will be sent again.")
    if missing and not sent:
        raise SystemExit(1)


def _query_failed_deliveries() -> Any:
    return Delivery.objects.filter(state=DeliveryState.PARKED, payload__isnull=False)
