"""A signer is erased: what remains proves that an agreement was made, when, and for how much."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import serializers

from workspace.accounts.models import Change, IdempotentCall
from workspace.accounts.privacy import data_subjects
from workspace.audit_trail.models import PersonalValue
from workspace.audit_trail.verification import verify_chain
from workspace.delivery.models import Delivery
from workspace.lib.data_subject import DataSubject
from workspace.products.bid.domain import client_questions
from workspace.products.bid.domain.pdf import PdfSigningChannel
from workspace.products.bid.models import BidEvent, Decision, LibraryItem, Message, Proposal, Revision, Template
from workspace.products.bid.tests.clients import approve, get_opened
from workspace.public_site.guest_page import guest_transaction
from workspace.publishing.models import SearchDocument
from workspace.storage.files import store
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_sent

pytestmark = pytest.mark.usefixtures("patience")  # rendering may take longer than usual
EMAIL = "ada@example.com"
MODELS: tuple[Any, ...] = (Proposal, Revision, Decision, Message, BidEvent, LibraryItem, Template, PersonalValue)


def dump_rows() -> str:
    return "".join(serializers.serialize("json", model._base_manager.all()) for model in MODELS)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("whole", [False, True])
def test_a_signer_is_erased_and_the_chain_remains_valid(api: Api, whole: bool) -> None:
    made = make_sent(api, notes=f"Write to {EMAIL} before noon.")
    api.run("svc_bid_copy", id=made["id"], kind="template")
    with guest_transaction(get_opened(made["id"]).publication_id):
        client_questions.save_question(
            get_opened(made["id"]), "form", name="Ada Berger", email=EMAIL, text="Is it warm?"
        )
    decision = approve(get_opened(made["id"]), strokes=[[[1, 1], [9, 9]]])
    PdfSigningChannel().send(Delivery.objects.get(kind="bid.seal"))
    sealed = Decision.objects.get(pk=decision.pk)
    hash, key = sealed.pdf_sha256, sealed.pdf_key
    assert EMAIL in dump_rows() and hash and store.get(key)
    data_subjects.erase_subject(api.account, DataSubject.parse(EMAIL, ""), item_ids=[made["id"]] if whole else [])
    assert EMAIL not in dump_rows()
    with pytest.raises(FileNotFoundError):  # the copy that contains the signer's data is deleted at once
        store.get(key)
    assert verify_chain(api.account) == []
    if whole:
        assert not Proposal._base_manager.exists()
        return
    assert "drawn" not in dump_rows() or Decision.objects.get(pk=decision.pk).signature_strokes == []
    [result] = api.run("svc_bid_get", id=made["id"])["decisions"]
    assert result["pdf_sha256"] == hash and result["totals"] and result["name"] != "Ada Berger"
    assert result["proof"] == "Personal data was erased from revision 1"
    assert api.run("svc_bid_export", kind="pdf", id=made["id"])["size"] > 1000, "it is printed anew, without them"


@pytest.mark.django_db(transaction=True)
def test_the_name_of_an_erased_client_is_stored_nowhere(api: Api) -> None:
    made = make_sent(api, client_name="Xaver Qualmburger")
    api.run("svc_bid_edit", id=made["id"], client_name="Xaver von Qualmburger")
    api.run("svc_bid_edit", id=made["id"], notes="By noon.")
    other = make_sent(api, 1, client_name="Bea Stay", client_email="bea@example.com")
    assert len(api.run("svc_search", q="qualmburger")["items"]) == 1
    data_subjects.erase_subject(api.account, DataSubject.parse(EMAIL, ""))
    left = serializers.serialize(
        "json", [*SearchDocument.objects.all(), *Change.objects.all(), *IdempotentCall.objects.all()]
    )
    assert "qualmburger" not in (dump_rows() + left).lower()
    assert api.run("svc_search", q="qualmburger")["items"] == []
    stored = api.run("svc_bid_get", id=made["id"])
    assert (stored["client_name"], stored["client_email"], stored["title"]) == ("", "", made["title"])
    assert api.run("svc_bid_get", id=other["id"])["client_name"] == "Bea Stay"
