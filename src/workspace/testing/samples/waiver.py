"""Samples of waivers, for the tests across all products."""

from __future__ import annotations

import itertools
from typing import Any

from workspace.accounts.models import Account
from workspace.products.waiver.domain import signings
from workspace.products.waiver.domain.signings import SigningContext
from workspace.products.waiver.models import Signing, Waiver
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import Api

CLAUSES = [{"title": "Risk", "text": "I know that a kayak turns over", "initials": True}]
QUESTIONS = [{"label": "Emergency contact", "required": True}]
_numbers = itertools.count(1)


def post(waiver: Waiver, **changes: Any) -> dict[str, Any]:
    given = {
        "version": waiver.version,
        "signer": {
            "name": "Ada King",
            "email": "ada@example.com",
            "phone": "+43 660 1234567",
            "birth_date": "1990-05-01",
        },
        "initials": {one["key"]: "AK" for one in waiver.clauses if one["initials"]},
        "answers": {one["key"]: "Bob" for one in waiver.questions if one["required"]},
        "signature": {"kind": "typed", "text": "Ada King"},
        "consent": True,
        "token": f"token-{next(_numbers):06}",
    }
    return {**given, **changes}


def sign(id: str, account: Account, **changes: Any) -> Signing:
    waiver = account.waivers.select_related("account", "publication").get(pk=id)
    read = signings.parse_submission(waiver, post(waiver, **changes))
    with write_transaction():
        return signings.sign_waiver(waiver, read, SigningContext(ip="192.0.2.7", user_agent="Firefox", language="en"))


def child(name: str = "Tim King", born: str = "2016-01-02") -> dict[str, str]:
    return {"name": name, "birth_date": born, "relationship": "Mother"}


SAMPLES = {
    "svc_waivers_list": lambda made: {},
    "svc_waiver_create": lambda made: {
        "title": "Climbing",
        "clauses": CLAUSES,
        "questions": QUESTIONS,
        "language": "en",
    },
    "svc_waiver_get": lambda made: {"id": made["signature"]},
    "svc_waiver_edit": lambda made: {"id": made["waiver"], "text": "Be *careful*", "material": True},
    "svc_waiver_delete": lambda made: {"ids": [made["waiver"]]},
    "svc_waiver_signatures": lambda made: {"id": made["signed_waiver"]},
    "svc_waiver_check": lambda made: {"who": "Tim King"},
    "svc_waiver_search": lambda made: {"q": "ki", "state": "valid"},
    "svc_waiver_void": lambda made: {
        "signature_ids": [made["signature"]],
        "reason": "Wrong birth date",
        "ask_again": True,
    },
    "svc_waiver_record_visit": lambda made: {"signature_id": made["signature"]},
    "svc_waiver_invite": lambda made: {"id": made["waiver"], "emails": ["bea@example.com"], "message": "See you soon"},
    "svc_waiver_export": lambda made: {"kind": "signatures", "id": made["signed_waiver"]},
}


def _signature(api: Api, number: int) -> Any:
    waiver = api.account.waivers.order_by("id").first()
    assert waiver is not None
    return sign(
        waiver.pk, api.account, signer={"name": f"King {number}", "email": "k@example.com", "birth_date": "1980-01-01"}
    )


LISTS = {"svc_waiver_signatures": _signature, "svc_waiver_search": _signature}
ADDRESSES = {"id": "signed_waiver", "signature": "signature"}


def create_samples(api: Api) -> dict[str, str]:
    signed = api.run("svc_waiver_create", title="Climbing", text="Be careful", clauses=CLAUSES, questions=QUESTIONS)
    signing = sign(signed["id"], api.account, participants=[child()])
    # as if it were signed, because a worker that signs it during a test would change what the test reads
    Signing.objects.filter(pk=signing.pk).update(pdf_sha256="5" * 64, sealed_at=signing.signed_at)
    signature = signing.signatures.get()
    waiver = api.run("svc_waiver_create", title="Kayak", text="Be careful", clauses=CLAUSES, questions=QUESTIONS)
    return {"signed_waiver": signed["id"], "waiver": waiver["id"], "signature": signature.pk}
