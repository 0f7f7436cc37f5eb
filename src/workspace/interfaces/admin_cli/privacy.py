"""One person's data, over all accounts, and what they reported to the operator."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import click
from django.core.serializers.json import DjangoJSONEncoder

from workspace.accounts.models import Account, Change, Person
from workspace.accounts.privacy import data_subjects
from workspace.accounts.privacy import export as privacy_export
from workspace.lib.data_subject import Sought
from workspace.lib.errors import Refusal
from workspace.lib.text import counted


def export(address: str, owner: str | None) -> None:
    sought = _read(address)
    known = [
        {"account": account.pk if account else None, **line}
        for account in _accounts(owner)
        for line in privacy_export.told(data_subjects.find(account, sought))
    ]
    click.echo(json.dumps({"about": sought.told, "known": known}, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))


def erase(address: str, owner: str | None, things: tuple[str, ...], yes: bool) -> None:
    sought = _read(address)
    for account in _accounts(owner):
        found = data_subjects.find(account, sought)
        for part in found.parts:
            for row in part.offered:
                if row.pk not in things:
                    click.echo(f"{part.held.noun} {row.pk} stays, without the address: --thing {row.pk} erases it")
    if not yes:
        where = f"the account of {owner}" if owner else "all accounts"
        click.confirm(f"Erase {sought.told} from {where} for good?", abort=True)
    done: Counter[str] = Counter()
    by = Change(actor="operator", who="whoever runs this installation", face="operator")
    try:
        for account in _accounts(owner):
            done.update(data_subjects.erase(account, sought, things=things, by=by))
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from None
    told = ", ".join(counted(count, noun) for noun, count in done.items())
    click.echo(f"Erased: {told}." if done else "Nothing was known of this person.")
    if Person.objects.filter(email=sought.email).exists():
        click.echo("They sign in here: their own account is theirs to close, a membership its owner's to end.")


def _read(address: str) -> Sought:
    try:
        return Sought.read(address, "") if "@" in address else Sought.read("", address)
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from None


def _accounts(owner: str | None) -> Iterator[Account | None]:
    """That of the owner, or all of them and what belongs to none."""
    if owner is None:
        yield from list(Account.objects.all())  # no cursor stays open, which would keep the log of SQLite
        yield None
        return
    found = Person.objects.filter(email=owner.strip().lower()).first()
    if found is None:
        raise click.ClickException(f"There is no account of {owner}")
    yield Account.of(found)
