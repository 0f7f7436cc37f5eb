"""An export can be verified with Python or any other tool for JSON and SHA-256."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Account
from workspace.audit_trail import export
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.audit_trail.tests import independent_check
from workspace.audit_trail.tests.test_chain import ADA, record_approval
from workspace.audit_trail.verification import find_chain_end, is_known_end
from workspace.lib.errors import NotFoundError
from workspace.testing.api import make_account


@pytest.fixture
def account(db: None) -> Account:
    account = make_account()
    for number in range(3):
        record_approval(
            account, number, signer={**ADA, "drawn": "<svg>☃\u0001</svg>", "born": None, "paths": [1, {"x": -2}]}
        )
    return account


def exported(account: Account) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(line)) for line in export.export_all(account)]


def test_a_whole_export_is_verified_offline(account: Account) -> None:
    independent_check.check_all(exported(account))


def test_one_record_is_verified_offline_alone(account: Account) -> None:
    row = Record.objects.get(number=2)
    told = export.export_record(account, row.pk)
    independent_check.check(json.loads(json.dumps(told)))
    assert told["people"]["signer"]["name"]["value"] == "Ada Lovelace"
    with pytest.raises(NotFoundError):
        export.export_record(make_account(), row.pk)


def test_every_change_of_an_export_is_detected(account: Account) -> None:
    lines = exported(account)

    def changed(line: int, *path: Any, to: Any) -> None:
        other = copy.deepcopy(lines)
        inner = other[line]
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = to
        with pytest.raises(AssertionError):
            independent_check.check_all(other)

    changed(0, "record", "data", "total", to=7)
    changed(1, "record", "at", to="2020-01-01T00:00:00.000000Z")
    changed(1, "people", "signer", "name", "value", to="Bob")
    changed(1, "people", "signer", "name", "salt", to="0" * 32)
    changed(2, "hash", to="0" * 64)
    changed(3, "end", "count", to=2)
    for fewer in (lines[1:], lines[:1] + lines[2:], [*lines[:2], lines[3]], [lines[1], lines[0], *lines[2:]]):
        with pytest.raises(AssertionError):
            independent_check.check_all(fewer)


def test_the_documentation_contains_exactly_the_code_tested_here() -> None:
    root = Path(__file__).parents[4]
    page = (root / "docs" / "records.md").read_text()
    source = Path(independent_check.__file__).read_text()
    body = source[source.index("import hashlib") :].strip()
    assert body in page


def test_closing_an_account_deletes_its_records_and_an_export_is_still_recognized(account: Account) -> None:
    was, lines = find_chain_end(account), exported(account)
    assert was is not None
    purge_account(account)
    assert not Record.objects.exists() and not PersonalValue.objects.exists()
    left = Chain.objects.get()
    assert left.account_id is None and left.closed_at is not None
    assert is_known_end(was) and lines[-1]["end"] == {"chain": was.chain, "count": was.count, "head": was.head}
