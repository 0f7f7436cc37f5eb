"""A chain of records: any tampering is detected and reported with the record's number."""

from __future__ import annotations

import hashlib
import json
import threading
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from workspace.accounts.models import Account
from workspace.audit_trail.canonical_json import to_canonical_json
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.audit_trail.verification import Problem, find_chain_end, is_known_end, verify_chain
from workspace.audit_trail.writer import record_event
from workspace.storage.database.transactions import dry_run_transaction, write_transaction
from workspace.testing.api import make_account

ADA = {"name": "Ada Lovelace", "email": "ada@example.com"}


def record_approval(account: Account, total: int = 1, **people: dict[str, Any]) -> str:
    with write_transaction():
        return record_event(account, "bid.approved", item_id=f"bid_{total}", data={"total": total}, people=people)


@pytest.fixture
def account(db: None) -> Account:
    account = make_account()
    for number in range(1, 7):
        record_approval(account, number, signer={**ADA, "number": number})
    return account


def texts(account: Account) -> list[str]:
    return [problem.text for problem in verify_chain(account)]


def test_an_untouched_chain_is_valid(account: Account) -> None:
    assert verify_chain(account) == []
    told = find_chain_end(account)
    assert (
        told is not None and told.count == 6 and told.head == Record.objects.get(number=6).hash and is_known_end(told)
    )
    assert verify_chain(make_account()) == [] and find_chain_end(make_account()) is None


def test_several_records_of_one_write_are_consecutive(db: None) -> None:
    account = make_account()
    with write_transaction():
        ids = [record_event(account, "form.answered", data={"n": n}) for n in range(3)]
    assert list(Record.objects.order_by("number").values_list("id", flat=True)) == ids
    assert verify_chain(account) == []


@pytest.mark.parametrize("number", [1, 3, 6])
def test_one_changed_byte_is_detected(account: Account, number: int) -> None:
    row = Record.objects.get(number=number)
    Record.objects.filter(pk=row.pk).update(body=row.body.replace(f'"total":{number}', '"total":9'))
    assert texts(account) == [f"Record {number} was changed"]


@pytest.mark.parametrize("number", [1, 3, 6])
def test_a_rewritten_record_with_a_new_hash_is_detected_at_the_next_record(account: Account, number: int) -> None:
    row = Record.objects.get(number=number)
    body = row.body.replace(f'"total":{number}', '"total":9')
    Record.objects.filter(pk=row.pk).update(body=body, hash=hashlib.sha256(body.encode()).hexdigest())
    wanted = (
        f"Record {number + 1} follows another record {number}" if number < 6 else "The chain ends with another record 6"
    )
    assert texts(account) == [wanted]


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ([1], ["Record 1 is missing"]),
        ([3], ["Record 3 is missing"]),
        ([6], ["Record 6 is missing"]),
        ([2, 3, 5], ["Records 2 to 3 are missing", "Record 5 is missing"]),
        ([5, 6], ["Records 5 to 6 are missing"]),
        ([1, 2, 3, 4, 5, 6], ["Records 1 to 6 are missing"]),
    ],
)
def test_missing_rows_are_detected(account: Account, gone: list[int], told: list[str]) -> None:
    PersonalValue.objects.filter(record__number__in=gone).delete()
    Record.objects.filter(number__in=gone).delete()
    assert texts(account) == told


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 5), (5, 6)])
def test_a_swapped_pair_is_detected(account: Account, one: int, other: int) -> None:
    Record.objects.filter(number=one).update(number=99)
    Record.objects.filter(number=other).update(number=one)
    Record.objects.filter(number=99).update(number=other)
    assert texts(account) == [
        f"Record {other} is in the place of record {one}",
        f"Record {one} is in the place of record {other}",
    ]


@pytest.mark.parametrize("field", ["kind", "thing", "created_at"])
def test_a_changed_column_beside_the_body_is_detected(account: Account, field: str) -> None:
    values = {"kind": "bid.declined", "thing": "bid_9", "created_at": "2020-01-01T00:00:00Z"}
    Record.objects.filter(number=2).update(**{field: values[field]})
    told = "at" if field == "created_at" else field  # its name in the record
    assert texts(account) == [f"The {told} of record 2 was changed"]


def test_a_changed_missing_or_added_personal_value_is_detected(account: Account) -> None:
    values = PersonalValue.objects.filter(record__number=4)
    values.filter(name="name").update(value='"Bob"')
    values.filter(name="email").delete()
    values.filter(name="number").update(value=None, salt=None)
    PersonalValue.objects.create(record=Record.objects.get(number=5), person="x", name="y", value='"z"', salt="0" * 32)
    assert set(verify_chain(account)) == {
        Problem(4, "signer.name of record 4 was changed"),
        Problem(4, "signer.email of record 4 is missing"),
        Problem(4, "signer.number of record 4 is missing, and no record shows that it was erased"),
        Problem(5, "x.y of record 5 was added"),
    }


def test_a_rewritten_chain_is_detected_with_an_earlier_end(account: Account) -> None:
    was = find_chain_end(account)
    assert was is not None
    record_approval(account, 7)
    assert is_known_end(was) and verify_chain(account) == []
    Record.objects.filter(number=6).update(hash="0" * 64)
    assert not is_known_end(was)
    Chain.objects.update(count=3, head="0" * 64)
    assert "Records 4 to 7 are beyond the end of the chain" in texts(account)


def test_a_chain_of_another_account_is_detected(account: Account) -> None:
    other = make_account()
    record_approval(other)
    PersonalValue.objects.all().delete()
    Record.objects.filter(chain__account=account).delete()
    Record.objects.filter(chain__account=other).update(chain=account.chain)
    assert "The chain of record 1 was changed" in texts(account)


def test_a_failed_write_or_dry_run_adds_no_record(account: Account) -> None:
    def fail() -> None:
        with write_transaction():
            record_event(account, "bid.approved")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with dry_run_transaction():
        record_event(account, "bid.approved")
    assert find_chain_end(account).count == 6 and verify_chain(account) == []  # type: ignore[union-attr]


def test_a_record_needs_a_transaction(transactional_db: None) -> None:
    with pytest.raises(RuntimeError):
        record_event(make_account(), "bid.approved")


@pytest.mark.parametrize(
    "value", [1.5, 2**53, "\ud800", {1: 2}, {"ü": 1}, {"a b": 1}, {1, 2}, b"x", json.loads("[" * 20 + "]" * 20)]
)
def test_a_value_without_a_canonical_form_is_rejected(value: Any) -> None:
    with pytest.raises(ValueError):
        to_canonical_json({"value": value})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.from_regex(r"[A-Za-z0-9_.:-]{1,9}", fullmatch=True), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(_JSON)
def test_canonical_json_equals_the_output_of_pythons_json(value: Any) -> None:
    told = to_canonical_json({"value": value})
    assert told == json.dumps({"value": value}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert json.loads(told) == {"value": value}


@examples(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=_JSON, person=_JSON)
def test_any_record_is_still_valid_when_it_is_read_back(db: None, data: Any, person: Any) -> None:
    account = make_account()
    with write_transaction():
        record_event(account, "k", data={"any": data}, people={"somebody": {"any": person}})
    assert verify_chain(account) == []


@pytest.mark.django_db(transaction=True)
def test_guests_of_one_and_of_several_accounts_sign_at_the_same_time() -> None:
    accounts = [make_account() for _ in range(3)]
    together, trouble = threading.Barrier(9), []

    def sign(number: int) -> None:
        together.wait()
        try:
            for n in range(4):
                record_approval(accounts[number % 3], number * 10 + n, signer=ADA)
        except Exception as error:
            trouble.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=sign, args=(number,)) for number in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trouble == []
    for account in accounts:
        assert find_chain_end(account).count == 12 and verify_chain(account) == []  # type: ignore[union-attr]


@pytest.mark.django_db(transaction=True)
def test_a_slow_write_delays_no_write_of_another_account(request: pytest.FixtureRequest) -> None:
    """A slow write of the same account is not delayed until its end either, because the chain is locked last."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    account = make_account()
    record_approval(account)
    noted, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with write_transaction():
                record_event(account, "slow")
                noted.set()
                go_on.wait(60)
        finally:
            connection.close()
            done.set()

    thread = threading.Thread(target=slow)
    thread.start()
    assert noted.wait(60)
    record_approval(account, 2)  # comes first, because it ends first
    go_on.set()
    thread.join()
    assert done.is_set() and verify_chain(account) == []
    assert list(Record.objects.order_by("number").values_list("kind", flat=True))[1:] == ["bid.approved", "slow"]
