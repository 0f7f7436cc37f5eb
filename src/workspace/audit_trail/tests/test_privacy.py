"""A person is erased from signed records: their values are deleted, but the chain still proves the rest."""

from __future__ import annotations

import json

import pytest

from workspace.accounts.models import Account
from workspace.accounts.privacy import data_subjects
from workspace.accounts.privacy import export as privacy_export
from workspace.audit_trail import export as audit_trail_export
from workspace.audit_trail.models import PersonalValue, Record
from workspace.audit_trail.tests import independent_check
from workspace.audit_trail.tests.test_chain import ADA, record_approval
from workspace.audit_trail.verification import verify_chain
from workspace.lib.data_subject import DataSubject
from workspace.testing.api import make_account

BOB = {"name": "Bob", "email": "bob@example.com", "phone": "+43 660 771 23 45"}
CHILD = {"name": "Cleo", "born": "2019-02-01"}


@pytest.fixture
def account(db: None) -> Account:
    account = make_account()
    record_approval(account, 1, signer=ADA)
    record_approval(account, 2, signer=BOB, child=CHILD)
    record_approval(account, 3, signer=ADA, witness=BOB)
    return account


def test_personal_data_of_records_is_exported(account: Account) -> None:
    told = privacy_export.export_subject(
        data_subjects.find_subject_data(account, DataSubject.parse("BOB@example.com", ""))
    )
    assert [(line["what"], line["as"], line["name"]) for line in told] == [
        ("record", "signer", "Bob"),
        ("record", "witness", "Bob"),
    ]


def test_erasing_deletes_all_values_of_a_person_and_the_chain_is_still_valid(account: Account) -> None:
    hashes = list(Record.objects.order_by("number").values_list("hash", flat=True))
    done = data_subjects.erase_subject(account, DataSubject.parse("", "0660 7712345"))
    assert done == {"record": 2}
    assert verify_chain(account) == []
    assert list(Record.objects.order_by("number").values_list("hash", flat=True))[:3] == hashes
    left = json.dumps(list(PersonalValue.objects.values("person", "value", "salt")))
    assert "Bob" not in left and "bob@" not in left and "Cleo" in left and "Ada" in left
    assert PersonalValue.objects.filter(value=None, salt=None).exclude(erased_at=None).count() == 6
    last = Record.objects.get(number=4)
    assert json.loads(last.body)["data"] == {
        "erased": [{"number": 2, "people": ["signer"]}, {"number": 3, "people": ["witness"]}]
    }
    lines = [json.loads(json.dumps(line)) for line in audit_trail_export.export_all(account)]
    independent_check.check_all(lines)
    assert set(lines[1]["people"]["signer"]["name"]) == {"erased"}
    assert data_subjects.erase_subject(account, DataSubject.parse("bob@example.com", "")) == {}


def test_records_of_another_account_are_unchanged(account: Account) -> None:
    other = make_account()
    record_approval(other, 1, signer=BOB)
    data_subjects.erase_subject(account, DataSubject.parse("bob@example.com", ""))
    assert PersonalValue.objects.filter(record__chain__account=other).exclude(value=None).count() == len(BOB)
    assert verify_chain(other) == []


def test_digests_of_the_same_value_always_differ(account: Account) -> None:
    bodies = [json.loads(body)["people"] for body in Record.objects.order_by("number").values_list("body", flat=True)]
    assert bodies[0]["signer"]["email"] != bodies[2]["signer"]["email"]
    assert not any("Ada" in body or "example.com" in body for body in Record.objects.values_list("body", flat=True))
