"""All accounts of an instance are exported into a folder, and another instance imports them with their members."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click
import pytest

from tests.across.sample_exports import Export, forget_everything
from workspace.accounts.models import Account, Membership, Person
from workspace.accounts.takeout import exporter
from workspace.interfaces.admin_cli import account_transfer
from workspace.interfaces.admin_cli.account_transfer import INDEX_FILE
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.publishing.account_lifecycle import closure_grace_period, suspension
from workspace.testing.api import make_account, make_api

pytestmark = pytest.mark.django_db


@pytest.fixture
def accounts() -> list[Account]:
    """Return two accounts with a common owner, and a member who may see only QR codes."""
    one, other = make_account(name="Café Morgenröte"), make_account(name="日本")
    other.memberships.create(person=one.owner, role=Membership.OWNER)
    guest = Person.objects.create_user("guest@example.com", "a password", name="Gus")
    one.memberships.create(person=guest, role=Membership.BY_PRODUCT, products={"qr": "viewer"})
    Person.objects.filter(pk=one.owner.pk).update(is_operator=True)
    for account in (one, other):
        make_api(account).run("svc_qr_create", name=f"Code of {account.name}", target_url="https://example.com")
    return [one, other]


def _import_elsewhere(folder: Path) -> None:
    forget_everything()
    Person.objects.all().delete()
    account_transfer.import_all(str(folder))


def test_every_account_moves_with_its_members_and_ids(
    accounts: list[Account], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = accounts
    owner, former = one.owner, [Export.create(account, tmp_path) for account in accounts]
    folder = tmp_path / "moved"
    account_transfer.export_all(str(folder))
    names = {path.name for path in folder.iterdir()}
    assert names == {f"cafe-morgenrote-{one.pk}.zip", f"{other.pk}.zip", INDEX_FILE}
    assert f"1/2  Café Morgenröte ({one.pk}): " in capsys.readouterr().out
    _import_elsewhere(folder)
    assert "Imported 2 accounts" in capsys.readouterr().out
    for account, before in zip(accounts, former, strict=True):
        after = Export.create(Account.objects.get(pk=account.pk), tmp_path)
        assert after.rows["qr.code"] == before.rows["qr.code"] != []
    memberships = Membership.objects.order_by("pk").values_list("account", "person__email", "role", "products")
    assert Counter(map(str, memberships)) == Counter(
        map(
            str,
            [
                (one.pk, owner.email, "owner", {}),
                (one.pk, "guest@example.com", "some", {"qr": "viewer"}),
                (other.pk, other.owner.email, "owner", {}),
                (other.pk, owner.email, "owner", {}),
            ],
        )
    )
    people = {person.email: person for person in Person.objects.all()}
    assert [email for email, person in people.items() if person.is_operator] == [owner.email]
    assert people["guest@example.com"].name == "Gus"
    assert not any(person.has_usable_password() for person in people.values())

    account_transfer.import_all(str(folder))  # again: nothing is imported twice
    told = capsys.readouterr().out
    assert told.count("already exists") == 2 and "Imported 0 accounts" in told
    assert Account.objects.count() == 2


def test_a_suspended_account_stays_so_and_one_that_is_closing_has_its_days_again(
    accounts: list[Account], tmp_path: Path
) -> None:
    suspended, closing = accounts
    suspension.suspend_account(suspended, "spam")
    closure_grace_period.start_closure(closing)
    account_transfer.export_all(str(tmp_path / "moved"))
    _import_elsewhere(tmp_path / "moved")
    suspended.refresh_from_db()
    closing.refresh_from_db()
    assert suspended.banned_at is not None and suspended.ban_reason == "spam" and suspended.closes_at is None
    assert closing.closes_at is not None and closing.closes_at > clock.now() and closing.banned_at is None
    assert suspension.resume_account(suspended) == closure_grace_period.cancel_closure(closing) == 1


def test_pages_of_an_account_that_was_closing_are_not_dark_in_an_account_that_is_not(
    accounts: list[Account], tmp_path: Path
) -> None:
    closure_grace_period.start_closure(accounts[0])
    account_transfer.export_one(accounts[0].pk, str(tmp_path / "one.zip"))
    new = make_account(name="Empty")
    account_transfer.import_one(new.pk, str(tmp_path / "one.zip"))
    assert [(page.banned_at, page.ban_reason) for page in new.publications.all()] == [(None, "")]


def test_an_account_that_fails_does_not_stop_the_others(
    accounts: list[Account], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    export = exporter.export_account

    def fail(account: Account, path: Path) -> Any:
        if account == accounts[0]:
            path.write_bytes(b"half")
            raise OperationNotAllowedError("This account is too large")
        return export(account, path)

    monkeypatch.setattr(exporter, "export_account", fail)
    folder = tmp_path / "moved"
    with pytest.raises(click.ClickException, match="1 failed: see above"):
        account_transfer.export_all(str(folder))
    told = capsys.readouterr()
    assert f"1/2  FAILED  Café Morgenröte ({accounts[0].pk}): This account is too large" in told.err
    assert "Exported 1 account:" in told.out
    assert {path.name for path in folder.iterdir()} == {f"{accounts[1].pk}.zip", INDEX_FILE}

    monkeypatch.undo()
    account_transfer.export_all(str(tmp_path / "again"))
    (tmp_path / "again" / f"{accounts[1].pk}.zip").write_bytes(b"no ZIP")
    with pytest.raises(click.ClickException, match="1 failed: see above"):
        _import_elsewhere(tmp_path / "again")
    told = capsys.readouterr()
    assert f"2/2  FAILED  日本 ({accounts[1].pk}): This file isn’t an account export" in told.err
    assert [account.pk for account in Account.objects.all()] == [accounts[0].pk]
    assert Person.objects.count() == 2, "the owner of the account that failed is not there either"


def test_nothing_is_overwritten(accounts: list[Account], tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(click.ClickException, match=r"is not empty\. Choose a new folder"):
        account_transfer.export_all(str(tmp_path))
    with pytest.raises(click.ClickException, match=r"already exists\. Choose a new file"):
        account_transfer.export_one(accounts[0].pk, str(tmp_path / "mine"))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"] and (tmp_path / "mine").read_text() == "mine"


def test_one_account_moves_into_an_empty_one(
    accounts: list[Account], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    account_transfer.export_one(accounts[0].pk, str(tmp_path / "one.zip"))
    assert "Exported Café Morgenröte: " in capsys.readouterr().out
    new = make_account(name="Empty")
    account_transfer.import_one(new.owner.email, str(tmp_path / "one.zip"))
    assert "Imported " in capsys.readouterr().out
    assert new.codes.count() == 1
    for path, problem in (("one.zip", "this one has 1 code"), ("none.zip", "No such file")):
        with pytest.raises(click.ClickException, match=problem):
            account_transfer.import_one(new.owner.email, str(tmp_path / path))


@pytest.mark.parametrize(
    "wrong",
    ["{", "[]", "{}", {"file": "../one.zip"}, {"account": "acc_1"}, {"members": [{"email": "nobody"}]}, {"more": 1}],
)
def test_an_index_that_was_not_exported_is_refused(accounts: list[Account], tmp_path: Path, wrong: Any) -> None:
    account_transfer.export_all(str(tmp_path / "moved"))
    index = tmp_path / "moved" / INDEX_FILE
    first, second = index.read_text().splitlines()
    changed = wrong if isinstance(wrong, str) else json.dumps({**json.loads(second), **wrong})
    index.write_text(f"{first}\n{changed}\n")
    with pytest.raises(click.ClickException, match=r"accounts\.jsonl, line 2: this is not the format of an export"):
        account_transfer.import_all(str(tmp_path / "moved"))
    with pytest.raises(click.ClickException, match=r"is missing\. Choose a folder that `account export --all` created"):
        account_transfer.import_all(str(tmp_path))
