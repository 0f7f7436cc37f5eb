"""Concurrent requests: only one approval succeeds, and of an edit and an approval only the first one does."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.privacy import data_subjects
from workspace.audit_trail.models import Record
from workspace.audit_trail.verification import verify_chain
from workspace.lib.data_subject import DataSubject
from workspace.products.bid.domain import client_questions
from workspace.products.bid.domain.decisions import ProposalChangedError
from workspace.products.bid.models import Decision, Proposal
from workspace.products.bid.tests.clients import approve, get_opened
from workspace.public_site.guest_page import guest_transaction
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.bid import make_sent

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def api() -> Api:
    return make_api(make_account())


def at_once(*acts: Any) -> list[str]:
    """Run the functions at the same time. Return their results."""
    ready = Barrier(len(acts))

    def run(act: Any) -> str:
        try:
            ready.wait(60)
            return str(act())
        except ProposalChangedError as stale:
            return f"409 {stale.cause}"
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))


def test_of_two_simultaneous_approvals_one_succeeds_and_one_gets_409(api: Api) -> None:
    for number in range(3):
        bid = make_sent(api, number)
        pages = [get_opened(bid["id"]), get_opened(bid["id"])]
        lines = at_once(*(lambda page=page: approve(page).outcome for page in pages))
        assert lines == ["409 decided", "approved"]
        assert Decision.objects.filter(proposal=bid["id"]).count() == 1
        assert Record.objects.filter(thing=bid["id"], kind="bid.approved").count() == 1
    assert verify_chain(api.account) == []


def test_a_simultaneous_edit_does_not_change_what_was_agreed(api: Api) -> None:
    for number in range(3):
        bid = make_sent(api, number)
        page = get_opened(bid["id"])

        def edit(id: str = bid["id"]) -> str:
            return f"edit {api.post('bid/edit', {'id': id, 'title': 'Dearer', 'tax_rate': 20})[0]}"

        lines = at_once(lambda page=page: approve(page).outcome, edit)
        result = Proposal.objects.get(pk=bid["id"])
        if "approved" in lines:
            assert lines == ["approved", "edit 400"] or lines == ["approved", "edit 409"]
            decision = Decision.objects.get(proposal=result)
            assert (result.status, result.title, result.revision) == ("approved", page.title, 1)
            assert decision.revision.hash == page.revision_hash == result.revision_hash
        else:
            assert lines == ["409 revised", "edit 200"]
            assert (result.status, result.revision) == ("sent", 2)
            assert not Decision.objects.filter(proposal=result).exists()


def test_erasing_a_person_takes_locks_in_the_order_of_clients(api: Api) -> None:
    """In any other order, the two could deadlock on the end of the audit trail and on the publication."""
    page = get_opened(make_sent(api)["id"])
    with guest_transaction(page.publication_id):
        client_questions.save_question(page, "form", name="Ada", email="ada@example.com", text="Is it warm?")
    approve(page)
    with CaptureQueriesContext(connection) as queries:
        data_subjects.erase_subject(api.account, DataSubject.parse("ada@example.com", ""))
    writes = [item["sql"] for item in queries if re.match("UPDATE|INSERT|DELETE|.*FOR NO KEY UPDATE", item["sql"])]
    assert len(writes) > 4
    if connection.features.has_select_for_no_key_update:  # the account's lock serializes the owner's writes
        assert ["accounts_account" in writes[0], "publishing_publication" in writes[1]] == [True, True], writes[:2]
    assert verify_chain(api.account) == []
