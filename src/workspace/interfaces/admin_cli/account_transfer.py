"""`account export` and `account import`: moving accounts to another instance, one by one or all of them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from django.db import connection

from workspace.accounts.arguments import BusinessName
from workspace.accounts.models import Account, Membership, Person
from workspace.accounts.takeout import column_types, exporter
from workspace.interfaces.admin_cli import serve
from workspace.interfaces.admin_cli.account_management import get_account
from workspace.interfaces.admin_cli.account_setup import verify_email
from workspace.lib.errors import ToolError
from workspace.lib.ids import is_id
from workspace.publishing.account_lifecycle import closure_grace_period, suspension, takeout_jobs

INDEX_FILE = "accounts.jsonl"  # has a line for each account of a folder: what the import needs in addition to its ZIP
MAX_LINE_LENGTH = 1_000_000
MAX_MEMBERS = 5_000
_ENTRY_TYPE = column_types.object_of(
    file=str,
    account=str,
    name=BusinessName,
    suspended=str,
    closing=bool,
    members=column_types.list_of(
        column_types.object_of(
            email=column_types.Email,
            name=column_types.OneLine,
            administrator=bool,
            role=column_types.one_of(*dict(Membership.ROLES)),
            products=dict[str, str],
        ),
        MAX_MEMBERS,
    ),
)


def export_one(named: str, path: str) -> None:
    account, target = get_account(named), Path(path)
    if target.exists():
        raise click.ClickException(f"{target} already exists. Choose a new file")
    try:
        rows = _write_archive(account, target)
    except ToolError as error:
        raise click.ClickException(error.message) from None
    click.echo(f"Exported {account.name}: {_format_size(rows, target)}.")


def export_all(path: str) -> None:
    """Write every account and the index. If an account cannot be exported, report it and continue with the others."""
    folder = Path(path)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise click.ClickException(f"{folder} is not empty. Choose a new folder")
    ids = list(Account.objects.order_by("created_at", "pk").values_list("pk", flat=True))
    failed = 0
    with (folder / INDEX_FILE).open("x", encoding="utf-8") as index:
        for number, id in enumerate(ids, 1):
            account = Account.objects.filter(pk=id).first()
            if account is None:
                continue  # deleted in the meantime
            target = folder / _file_name(account)
            try:
                rows = _write_archive(account, target)
                index.write(json.dumps(_describe_account(account, target.name), ensure_ascii=False) + "\n")
                index.flush()
            except Exception as error:  # whatever is wrong with one account, the others are exported
                failed += 1
                _print_failure(number, len(ids), f"{account.name} ({id})", error)
            else:
                click.echo(f"{number}/{len(ids)}  {account.name} ({id}): {_format_size(rows, target)}")
    _print_result("Exported", len(ids) - failed, failed, folder)


def import_one(named: str, path: str) -> None:
    account = get_account(named)
    try:
        with open(path, "rb") as file:
            result = takeout_jobs.apply_import(account, takeout_jobs.plan_import(account, file))
    except (ToolError, OSError) as error:
        raise click.ClickException(_error_message(error)) from None
    for line in _describe_result(result):
        click.echo(line)


def import_all(path: str) -> None:
    """Create the accounts in a folder with their former ids and their members, and import their archives."""
    folder = Path(path)
    entries = _read_index(folder)
    if not connection.introspection.table_names():
        serve.migrate()
    imported = failed = 0
    for number, entry in enumerate(entries, 1):
        name = f"{entry['name']} ({entry['account']})"
        if Account.objects.filter(pk=entry["account"]).exists():
            click.echo(f"{number}/{len(entries)} {name}: already exists")
            continue
        try:
            lines = _import_entry(folder, entry)
        except Exception as error:  # whatever is wrong with one account, the others are imported
            failed += 1
            _print_failure(number, len(entries), name, error)
            continue
        imported += 1
        click.echo(f"{number}/{len(entries)}  {name}: {lines[0]}")
        for line in lines[1:]:
            click.echo(f"    {line}")
    _print_result("Imported", imported, failed, folder)
    if imported:
        click.echo(
            "To sign in, members can choose “Forgot your password?”, or you can send them a link from `sign-in EMAIL`."
        )


def _write_archive(account: Account, target: Path) -> int:
    """Write the ZIP, which appears only when it is complete. Return the number of rows."""
    part = target.with_name(f".{target.name}.part")
    try:
        counts = exporter.export_account(account, part)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)
    return sum(counts.values())


def _describe_account(account: Account, file: str) -> dict[str, Any]:
    """Return an account's line of the index: the data that another instance needs to create the account."""
    members = account.memberships.order_by("pk").select_related("person")
    return {
        "file": file,
        "account": account.pk,
        "name": account.name,
        "suspended": account.ban_reason or "suspended" if account.banned_at else "",
        "closing": account.closes_at is not None,
        "members": [
            {
                "email": member.person.email,
                "name": member.person.name,
                "administrator": member.person.is_operator,
                "role": member.role,
                "products": member.products,
            }
            for member in members
        ],
    }


def _read_index(folder: Path) -> list[dict[str, Any]]:
    path = folder / INDEX_FILE
    if not path.is_file():
        raise click.ClickException(f"{path} is missing. Choose a folder that `account export --all` created")
    found = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(MAX_LINE_LENGTH), ""), 1):
            try:
                found.append(_parse_entry(json.loads(line)))
            except ValueError:  # also raised for text that is not JSON
                raise click.ClickException(f"{path}, line {number}: this is not the format of an export") from None
    return found


def _parse_entry(line: Any) -> dict[str, Any]:
    """Parse a line of the index. Raise ValueError if it is invalid, or if its file is not in the folder itself."""
    entry: dict[str, Any] = column_types.parse_value(_ENTRY_TYPE, line)
    if Path(entry["file"]).name != entry["file"] or not is_id(entry["account"]):
        raise ValueError(entry["file"])
    return entry


def _import_entry(folder: Path, entry: dict[str, Any]) -> list[str]:
    """Import one account. Return the notes to print.

    If it raises ToolError or OSError, it has created neither an account nor a person.
    """
    account = Account(pk=entry["account"], name=entry["name"])
    with (folder / entry["file"]).open("rb") as file:
        plan = takeout_jobs.plan_import(account, file)
        result = takeout_jobs.apply_import(account, plan, create=lambda: _create_account(account, entry))
    lines = list(_describe_result(result))
    if entry["suspended"]:
        suspension.suspend_account(account, entry["suspended"])
        lines.append("- It is still suspended")
    if entry["closing"]:
        ends = closure_grace_period.start_closure(account).closes_at
        lines.append(f"- It is still scheduled for closure. The 14-day period restarts and ends on {ends:%Y-%m-%d}")
    return lines


def _create_account(account: Account, entry: dict[str, Any]) -> None:
    """Create the account and its members. A person who already exists here joins it with their existing permissions."""
    account.save(force_insert=True)
    for member in entry["members"]:
        email = member["email"].lower()
        person = Person.objects.filter(email=email).first()
        if person is None:
            person = Person.objects.create_user(email, name=member["name"], is_operator=member["administrator"])
            verify_email(person)
        account.memberships.create(person=person, role=member["role"], products=member["products"])


def _describe_result(result: dict[str, Any]) -> Iterator[str]:
    yield takeout_jobs.summarize_result(result)
    yield from (f"- {note}" for note in result["notes"])


def _file_name(account: Account) -> str:
    plain = unicodedata.normalize("NFKD", account.name).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain)[:60].strip("-")
    return f"{name}-{account.pk}.zip" if name else f"{account.pk}.zip"


def _format_size(rows: int, path: Path) -> str:
    return f"{rows:,} rows, {path.stat().st_size / 1_000_000:,.1f} MB"


def _print_failure(number: int, count: int, name: str, error: Exception) -> None:
    click.echo(f"{number}/{count}  FAILED  {name}: {_error_message(error)}", err=True)


def _error_message(error: Exception) -> str:
    return error.message if isinstance(error, ToolError) else str(error) or type(error).__name__


def _print_result(verb: str, count: int, failed: int, folder: Path) -> None:
    """Print the result. Raise click.ClickException if any account failed, so that the command exits with 1."""
    noun = "account" if count == 1 else "accounts"
    click.echo(f"{verb} {count:,} {noun}: {folder}.")
    if failed:
        raise click.ClickException(f"{failed:,} failed: see above")
