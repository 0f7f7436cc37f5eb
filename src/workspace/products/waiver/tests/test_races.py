"""Simultaneous requests: two clicks make one signing, and of an edit and a signing the first one wins."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from workspace.audit_trail.verification import verify_chain
from workspace.products.waiver.domain import signings
from workspace.products.waiver.domain.signings import SigningContext
from workspace.products.waiver.models import Signing, Waiver
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction
from workspace.testing.api import make_account, make_api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db(transaction=True)


def test_simultaneous_clicks_edits_and_signers_leave_valid_signings_only() -> None:
    api = make_api(make_account())
    for number in range(3):
        id = api.run("svc_waiver_create", title="Kayak", text="Be careful")["id"]
        ready = Barrier(4)

        def sign(token: str, id: str = id, ready: Barrier = ready) -> str:
            waiver = Waiver.objects.select_related("account", "publication").get(pk=id)
            post = signings.parse_submission(waiver, samples.post(waiver, token=token))
            ready.wait(60)
            try:
                with guest_transaction(waiver.publication_id):
                    return signings.sign_waiver(waiver, post, SigningContext()).pk
            except GuestActionDeclinedError:
                return "declined"

        def edit(id: str = id, ready: Barrier = ready, number: int = number) -> str:
            ready.wait(60)
            return str(api.post("waiver/edit", {"id": id, "text": f"Other {number}", "material": True})[0])

        def run(act: Any) -> str:
            try:
                return str(act())
            finally:
                connection.close()

        acts = [lambda s=sign: s("the-same"), lambda s=sign: s("the-same"), lambda s=sign: s("another-one"), edit]
        with ThreadPoolExecutor(len(acts)) as pool:
            first, second, third, edited = pool.map(run, acts)
        assert edited == "200" and (first == second or "declined" in (first, second))
        stored = Signing.objects.filter(waiver=id)
        made = {first, second, third} - {"declined"}
        assert {signing.pk for signing in stored} == made and all(signing.version == 1 for signing in stored)
        assert Waiver.objects.get(pk=id).signed_count == len(made)
    assert verify_chain(api.account) == []
