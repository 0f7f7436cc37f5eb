"""Accounts created with random arguments are exported, and the import refuses none of their data."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.across.random_accounts import fill
from tests.across.sample_exports import Export, forget_everything, import_account
from workspace.lib.errors import OperationNotAllowedError
from workspace.testing.api import make_account, make_api

# for more, with another seed: WORKSPACE_TEST_ACCOUNTS=500 WORKSPACE_TEST_SEED=20261123
MANY, SEED = int(os.environ.get("WORKSPACE_TEST_ACCOUNTS", "4")), os.environ.get("WORKSPACE_TEST_SEED", "1")
LONGEST = max(300, 10 * MANY)  # seconds
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(LONGEST)]


def test_accounts_with_random_data_are_imported_with_all_their_rows(tmp_path: Path) -> None:
    accepted = made = 0
    problems: list[tuple[int, str]] = []
    for number in range(MANY):
        random = Random(f"{SEED} {number}")
        api = make_api(make_account(name="Before", time_zone="Europe/Vienna"))
        some, all_of = fill(api, random)
        accepted, made = accepted + some, made + all_of
        before = Export.create(api.account, tmp_path)
        forget_everything()
        new = make_account(name="After")
        try:
            import_account(new, before.zipped())
        except OperationNotAllowedError as problem:
            problems.append((number, str(problem)))
            forget_everything()
            continue
        after = Export.create(new, tmp_path)
        counts = [{table: len(rows) for table, rows in one.rows.items()} for one in (before, after)]
        for one in counts:
            one.pop("accounts.change")  # the import adds one if a tool started it
            one.pop("audit_trail.record")
        if counts[0] != counts[1]:
            problems.append((number, "It arrived with other numbers of rows"))
        forget_everything()
    assert problems == []
    assert accepted > made // 4, f"{accepted} of {made} calls were accepted"
    print(f"{accepted} of {made} calls were accepted, in {MANY} accounts")
