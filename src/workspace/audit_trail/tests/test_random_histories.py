"""Random histories of signing, erasing and tampering: a chain is valid exactly until someone tampers with it."""

from __future__ import annotations

import json

import pytest
from django.db import transaction
from hypothesis import HealthCheck
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from workspace.accounts.privacy import data_subjects
from workspace.audit_trail import export
from workspace.audit_trail.models import PersonalValue, Record
from workspace.audit_trail.tests import independent_check
from workspace.audit_trail.tests.test_chain import record_approval
from workspace.audit_trail.verification import find_chain_end, is_known_end, verify_chain
from workspace.lib.data_subject import DataSubject
from workspace.testing.api import make_account

NAMES = ("ada", "bob", "cleo")


class Histories(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.account = make_account()
        self.count = 0
        self.known: dict[str, int] = dict.fromkeys(NAMES, 0)
        self.ends = []

    @rule(name=st.sampled_from(NAMES), other=st.sampled_from(NAMES), total=st.integers(0, 10**12))
    def sign(self, name: str, other: str, total: int) -> None:
        record_approval(
            self.account, total, signer={"email": f"{name}@example.com"}, witness={"email": f"{other}@example.com"}
        )
        self.count += 1
        self.known[name] += 1
        self.known[other] += 1

    @rule(name=st.sampled_from(NAMES))
    def erase(self, name: str) -> None:
        done = data_subjects.erase_subject(self.account, DataSubject.parse(f"{name}@example.com", ""))
        assert done.get("record", 0) == self.known[name]
        self.count += self.known[name] > 0
        self.known[name] = 0

    @rule()
    def keep_the_end(self) -> None:
        if found := find_chain_end(self.account):
            self.ends.append(found)

    @precondition(lambda self: self.count > 0)
    @rule(data=st.data())
    def tamper(self, data: st.DataObject) -> None:
        """Tamper with the chain, check that it is detected, and restore it."""
        rows = Record.objects.filter(chain__account=self.account)
        row = rows.order_by("number")[data.draw(st.integers(0, self.count - 1))]
        with transaction.atomic():
            if data.draw(st.booleans()):
                place = data.draw(st.integers(0, len(row.body) - 1))
                other = "0" if row.body[place] != "0" else "1"
                rows.filter(pk=row.pk).update(body=row.body[:place] + other + row.body[place + 1 :])
                told = f"Record {row.number} was changed"
            else:
                PersonalValue.objects.filter(record=row).delete()
                row.delete()
                told = f"Record {row.number} is missing"
            # the first problem; if it was a record of an erasure, the erased values are reported, too
            assert told in [problem.text for problem in verify_chain(self.account)]
            transaction.set_rollback(True)

    @invariant()
    def it_verifies(self) -> None:
        assert verify_chain(self.account) == []
        assert (find_chain_end(self.account).count if self.count else 0) == self.count  # type: ignore[union-attr]
        assert all(map(is_known_end, self.ends))

    def teardown(self) -> None:
        lines = [json.loads(json.dumps(line)) for line in export.export_all(self.account)]
        if lines:
            independent_check.check_all(lines)


@pytest.mark.django_db
def test_any_history_is_valid_until_it_was_tampered_with() -> None:
    sizes = examples(max_examples=6, stateful_step_count=8, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(Histories, settings=sizes)
