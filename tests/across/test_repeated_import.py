"""An export can be imported again on the instance where its account was deleted, including older exports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.across.test_account_takeout import export_account, import_account
from workspace.accounts.account_deletion import purge_account
from workspace.audit_trail.verification import find_chain_end, is_known_end, verify_chain
from workspace.delivery.models import JobItem
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db


def signed(api: Api) -> str:
    """Create a waiver with two signatures on record."""
    waiver = str(api.run("svc_waiver_create", title="Kayak", text="Be careful")["id"])
    for name in ("Ada King", "Ben Ott"):
        samples.sign(waiver, api.account, signer={"name": name, "email": "a@example.com", "birth_date": "1990-05-01"})
    return waiver


def test_the_same_export_can_be_imported_after_each_deletion_of_its_account(api: Api) -> None:
    waiver = signed(api)
    ends, content = [find_chain_end(api.account)], export_account(api)
    purge_account(api.account)
    for life in range(3):
        new = make_api(make_account(name=f"Life {life}"))
        told = import_account(new, content)
        assert (told["state"], told["faults"]) == ("done", []), told
        assert verify_chain(new.account) == []
        assert new.run("svc_waiver_signatures", id=waiver)["total"] == 2
        ends.append(find_chain_end(new.account))
        notes = " ".join(JobItem.objects.get(job__account=new.account).result["notes"])  # type: ignore[index]
        assert ("its last record was a different one (number 3)" in notes) is (life > 0)
        purge_account(new.account)
    assert len({found.head for found in ends if found}) == 4
    assert [is_known_end(found) for found in ends[1:] if found] == [True] * 3, (
        "each end that was closed here stays known"
    )


def test_a_later_export_can_be_imported_after_an_older_one(api: Api) -> None:
    signed(api)
    older = export_account(api)
    signed(api)
    last, later = find_chain_end(api.account), export_account(api)
    purge_account(api.account)
    first = make_api(make_account(name="First"))
    assert import_account(first, older)["state"] == "done"
    fork = find_chain_end(first.account)
    purge_account(first.account)
    second = make_api(make_account(name="Second"))
    assert import_account(second, later)["faults"] == []
    assert verify_chain(second.account) == [] and last is not None and fork is not None
    assert is_known_end(last) and is_known_end(fork)
    assert not is_known_end(replace(fork, head="0" * 64)) and not is_known_end(replace(fork, chain="chn_other"))
