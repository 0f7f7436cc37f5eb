"""Creating accounts and keys, and changing plans, for the administrator's command."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from zoneinfo import available_timezones

import click
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from workspace.accounts import event_credits, plans
from workspace.accounts.models import Account, ApiKey, Person
from workspace.billing import effective_plans
from workspace.environment import COMMAND
from workspace.interfaces.sign_in import mfa_reset
from workspace.interfaces.sign_in.magic_link import build_sign_in_link
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.lib.ids import new_id
from workspace.storage.database.transactions import write_transaction


def create_account(
    email: str, *, name: str, plan_texts: tuple[str, ...], time_zone: str, admin: bool, as_json: bool
) -> None:
    email = email.strip().lower()
    try:
        validate_email(email)
    except ValidationError:
        raise click.BadParameter(f"{email!r} is not an email address", param_hint="EMAIL") from None
    if time_zone not in available_timezones():
        raise click.BadParameter(
            f"{time_zone!r} is not a time zone. Use one like Europe/Berlin", param_hint="--time-zone"
        )
    if not name.strip() or len(name) > 120:
        raise click.BadParameter("Use 1 to 120 characters", param_hint="--name")
    choice = dict(_parse_plan(text) for text in plan_texts)
    with write_transaction():
        if Person.objects.filter(email=email).exists():
            raise click.ClickException(
                f"{email} already has an account. To create another key, run `key create {email}`."
            )
        person = Person.objects.create_user(email, is_operator=admin)
        account = Account.open(person, name=name.strip(), time_zone=time_zone, chosen=choice)
        verify_email(person)
        _, key = ApiKey.create(account, name="First key", by=person)
    link = build_sign_in_link(person) if admin else None
    if as_json:
        created = {"account_id": account.pk, "email": email, "api_key": key}
        click.echo(json.dumps({**created, **({"sign_in_link": link} if link else {})}))
        return
    click.echo(f"account  {account.pk}\nAPI key  {key}   (shown only once)")
    if link:
        click.echo(f"sign in  {link}   (valid once, for one hour)")
    else:
        click.echo(
            f"To sign in, they can choose “Forgot your password?”, or you can send them a link from `sign-in {email}`."
        )


def create_key(email: str, *, name: str, read_only: bool, as_json: bool) -> None:
    account = _get_account(email)
    try:
        with write_transaction():
            key, secret = ApiKey.create(account, name=name, read_only=read_only)
    except ToolError as refusal:
        raise click.ClickException(refusal.message) from None
    click.echo(json.dumps({"key_id": key.pk, "api_key": secret}) if as_json else secret)


def print_sign_in_link(email: str) -> None:
    click.echo(build_sign_in_link(get_person(email)))


def reset_mfa(email: str) -> None:
    person = get_person(email)
    removed = mfa_reset.remove_second_factors(person)
    if not removed:
        raise click.ClickException(f"{person.email} has not set up two-step verification.")
    click.echo(
        f"Removed from {person.email}: {', '.join(removed)}. They were signed out everywhere and"
        f" notified by email, and now need only a password. If they have none, run `sign-in {person.email}` for a link."
    )


def set_plan(email: str, product: str, plan: str) -> None:
    product, plan = _parse_plan(f"{product}={plan}")
    account = _get_account(email)
    effective_plans.set_base_plan(account, product, plan)
    click.echo(_describe_plan(account, product, plan))


def grant_plans(account_ref: str, plan_texts: tuple[str, ...], until: str) -> None:
    """Grant plans to an account until the end of a day in its time zone."""
    account = Account.objects.filter(pk=account_ref).first() or _get_account(account_ref)
    given = [_parse_plan(text) for text in plan_texts]
    if not given:
        raise click.ClickException(f"Enter a plan: {COMMAND} grant ACCOUNT quote=pro --until 2027-01-31")
    try:
        day = date.fromisoformat(until)
    except ValueError:
        raise click.BadParameter(f"{until!r} is not a date. Use one like 2027-01-31", param_hint="--until") from None
    end = datetime.combine(day + timedelta(days=1), time.min, account.zone)
    if end <= clock.now():
        raise click.BadParameter(f"{until} is in the past", param_hint="--until")
    for product, plan in given:
        effective_plans.grant_plan(account, product, plan, end)
        click.echo(f"{_describe_plan(account, product, plan)}, through {day:%-d %B %Y}")


def _describe_plan(account: Account, product: str, plan: str) -> str:
    account.refresh_from_db()
    found, title = account.plan(product), plans.PRODUCTS[product].title
    if found != plan:
        return f"Granted {account.name} the {plan} plan for {title}. The account keeps its larger plan {found}"
    return f"{account.name} is now on the {plan} plan for {title}"


def verify_email(person: Person) -> None:
    """Mark the person's email as verified. The administrator vouches for it."""
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)


def get_person(email: str) -> Person:
    """Return the person who signs in with this email. Raise click.ClickException if there is none."""
    person = Person.objects.filter(email=email.strip().lower()).first()
    if person is None:
        raise click.ClickException(f"{email} has no account. To create one, run `account create {email} --name …`.")
    return person


def grant_credits(account_ref: str, count: int, reason: str) -> None:
    account = Account.objects.filter(pk=account_ref).first() or _get_account(account_ref)
    with write_transaction():
        event_credits.grant_credits(account, count, f"operator:{new_id('gift')}", reason)
    click.echo(f"{account.name} now has {event_credits.format_balance(account)}.")


def _get_account(email: str) -> Account:
    return Account.for_person(get_person(email))


def _parse_plan(text: str) -> tuple[str, str]:
    product, is_pair, plan = text.partition("=")
    if not is_pair:
        raise click.ClickException(f"{text!r} is not a plan. Use PRODUCT=PLAN, such as qr=pro")
    try:
        plans.check_plan(product, plan)
    except InvalidInputError as refusal:
        what = "product" if product not in plans.PRODUCTS else f"plan of {product}"
        named = product if product not in plans.PRODUCTS else plan
        raise click.ClickException(f"Unknown {what} {named!r}. {refusal.issues[0].message}") from None
    return product, plan
