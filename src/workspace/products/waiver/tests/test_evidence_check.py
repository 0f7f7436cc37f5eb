"""The evidence of a signing: changed or missing data is detected, and personal data can be erased.

The chain of records remains intact.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from workspace.accounts.privacy import data_subjects
from workspace.audit_trail import verification
from workspace.audit_trail.models import PersonalValue, Record
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib.data_subject import DataSubject
from workspace.products.waiver.models import Signature, Signing
from workspace.testing.api import Api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db

CHANGED: list[tuple[Any, dict[str, Any]]] = [
    (Record, {"body": "{}"}),
    (Record, {"hash": "0" * 64}),
    (Record, {"kind": "waiver.sealed"}),
    (Record, {"thing": "wvr_other"}),
    (Record, {"number": 7}),
    (PersonalValue, {"value": '"Somebody else"'}),
    (PersonalValue, {"salt": "0" * 32}),
    (Signing, {"name": "Adam King"}),
    (Signing, {"birth_date": "1991-05-01"}),
    (Signing, {"answers": {"emergency_contact": "Nobody"}}),
    (Signing, {"initials": {}}),
    (Signing, {"consent": "Nothing"}),
    (Signing, {"version": 2}),
    (Signature, {"name": "Tom King"}),
    (Signature, {"birth_date": "2006-01-02"}),
    (Signature, {"relationship": "Uncle"}),
]
MISSING = [Record, PersonalValue, Signature]


def family(api: Api) -> Signing:
    fields = {"clauses": samples.CLAUSES, "questions": samples.QUESTIONS}
    made = api.run("svc_waiver_create", title="Kayak", text="Be careful", **fields)
    children = [samples.child(), samples.child("Eve King", "2018-03-04")]
    return samples.sign(made["id"], api.account, participants=children)


def is_evidence_valid(api: Api, signing: Signing) -> bool:
    signature = Signature.objects.filter(signing=signing).first()
    assert signature is not None
    return bool(api.run("svc_waiver_get", id=signature.pk)["signed"]["holds"])


def test_a_changed_field_or_a_missing_row_is_detected(api: Api) -> None:
    signing = family(api)
    assert is_evidence_valid(api, signing) and verification.verify_chain(api.account) == []
    for model, change in CHANGED:
        with transaction.atomic():
            rows = model._base_manager.all()
            item = rows.filter(pk=signing.record) if model is Record else rows.filter(pk=rows.latest("pk").pk)
            assert item.update(**change) == 1
            in_chain = verification.verify_chain(api.account)
            assert in_chain or not is_evidence_valid(api, signing), (model, change)
            assert model in (Signing, Signature) or in_chain, (model, change)
            transaction.set_rollback(True)
    for model in MISSING:
        with transaction.atomic():
            rows = model._base_manager.all()
            rows.filter(pk__in=[rows.earliest("pk").pk]).delete()
            assert verification.verify_chain(api.account) or not is_evidence_valid(api, signing), model
            transaction.set_rollback(True)
    assert is_evidence_valid(api, signing) and verification.verify_chain(api.account) == []


def test_one_sibling_can_be_voided_separately(api: Api) -> None:
    signing = family(api)
    tim, eve = Signature.objects.filter(signing=signing).order_by("id")
    api.run("svc_waiver_void", signature_ids=[tim.pk], reason="He has come of age")
    assert {who: api.run("svc_waiver_check", who=who)["verdict"] for who in ("Tim King", "Eve King")} == {
        "Tim King": "invalid",
        "Eve King": "valid",
    }
    assert api.run("svc_waiver_get", id=eve.pk)["signed"]["others"][0]["reason"] == "voided"
    assert "voided" in api.refuse("svc_waiver_record_visit", signature_id=tim.pk)["message"]
    assert is_evidence_valid(api, signing) and verification.verify_chain(api.account) == []
    assert Record.objects.filter(kind="waiver.voided", body__contains=tim.pk).count() == 1


def test_personal_data_is_erased_and_the_chain_remains_intact(api: Api) -> None:
    signing = family(api)
    OutboxWorker().drain_once()
    data_subjects.erase_subject(api.account, DataSubject.parse("ada@example.com", ""))
    stored = api.run("svc_waiver_signatures", id=signing.waiver_id)["items"][0]
    assert (stored["signer"], stored["participant"], stored["birth_year"]) == ("[erased]", "[erased]", None)
    assert api.run("svc_waiver_check", who="Tim King")["verdict"] == "none"
    assert not PersonalValue.objects.filter(record=signing.record).exclude(value=None).exists(), "the children's too"
    assert verification.verify_chain(api.account) == [] and is_evidence_valid(api, signing)
    assert "erased with the person" in api.refuse("svc_waiver_export", kind="pdf", id=stored["id"])["message"]
