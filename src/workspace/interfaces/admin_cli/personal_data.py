"""A person's data in all accounts, and in their reports to the administrator."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import click
from django.core.serializers.json import DjangoJSONEncoder

from workspace.accounts.models import Account, Change, Person
from workspace.accounts.privacy import data_subjects
from workspace.accounts.privacy import export as privacy_export
from workspace.lib.data_subject import DataSubject
from workspace.lib.errors import ToolError
from workspace.lib.text import format_count


def export_person(address: str, owner: str | None) -> None:
    sought = _parse_subject(address)
    known = [
        {"account": account.pk if account else None, **line}
        for account in _list_accounts(owner)
        for line in privacy_export.export_subject(data_subjects.find_subject_data(account, sought))
    ]
    click.echo(json.dumps({"about": sought.label, "known": known}, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))


def erase_person(address: str, owner: str | None, item_ids: tuple[str, ...], yes: bool) -> None:
    sought = _parse_subject(address)
    for account in _list_accounts(owner):
        found = data_subjects.find_subject_data(account, sought)
        for part in found.parts:
            for row in part.deletable_rows:
                if row.pk not in item_ids:
                    click.echo(
                        f"{part.table.noun} {row.pk} stays, without the address. To erase it, add `--thing {row.pk}`"
                    )
    if not yes:
        where = f"the account of {owner}" if owner else "all accounts"
        click.confirm(f"Permanently erase {sought.label} from {where}?", abort=True)
    done: Counter[str] = Counter()
    by = Change(actor_key="operator", actor_name="the administrator", channel="operator")
    try:
        for account in _list_accounts(owner):
            done.update(data_subjects.erase_subject(account, sought, item_ids=item_ids, by=by))
    except ToolError as refusal:
        raise click.ClickException(refusal.message) from None
    erased_text = ", ".join(format_count(count, noun) for noun, count in done.items())
    click.echo(f"Erased: {erased_text}." if done else "No data about this person was found.")
    if Person.objects.filter(email=sought.email).exists():
        click.echo(
            "This person has a login on this instance. Only they can close their account, and only its owner can end "
            "a membership."
        )


def _parse_subject(address: str) -> DataSubject:
    try:
        return DataSubject.parse(address, "") if "@" in address else DataSubject.parse("", address)
    except ToolError as refusal:
        raise click.ClickException(refusal.message) from None


def _list_accounts(owner: str | None) -> Iterator[Account | None]:
    """Yield the owner's account. Without an owner, yield all accounts, and None for data without an account."""
    if owner is None:
        yield from list(Account.objects.all())  # an open cursor would keep SQLite's WAL from being reset
        yield None
        return
    found = Person.objects.filter(email=owner.strip().lower()).first()
    if found is None:
        raise click.ClickException(f"No account has the owner {owner}")
    yield Account.for_person(found)
