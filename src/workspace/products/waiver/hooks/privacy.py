"""Personal data in waivers: export and erasure.

Erasing removes names, contact data, answers, strokes and the signed PDF. The record's digests remain and prove that
something was signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.audit_trail import privacy
from workspace.lib.data_subject import ERASED_MARKER
from workspace.products.waiver.models import NameWord, Signature, Signing, SigningInvitation, Waiver, WaiverVersion
from workspace.publishing.privacy import item_table
from workspace.storage.files import store

_DASHBOARD_PATH = "/app/waiver"


def _erase_signings(account: Account, signings: Sequence[Signing]) -> None:
    ids = [signing.pk for signing in signings]
    for signing in signings:
        if signing.pdf_key:
            transaction.on_commit(partial(store.delete, signing.pdf_key))
    Signing.objects.filter(pk__in=ids).update(
        name=ERASED_MARKER,
        email="",
        phone="",
        birth_date=None,
        answers={},
        initials={},
        typed_name="",
        strokes=[],
        consent="",
        pdf_key="",
    )
    # people for whom they signed are erased, too, because they are one family and no one else can request it
    privacy.erase_records(account, [signing.record for signing in signings])
    signatures = Signature.objects.filter(signing__in=ids)
    NameWord.objects.filter(signature__in=signatures.values("pk")).delete()
    signatures.update(
        name=ERASED_MARKER,
        person="",
        birth_date=None,
        relationship="",
        email="",
        phone="",
        phone_national="",
        search="",
        void_reason="",
    )


PERSONAL_DATA = [
    PersonalTable(
        model=Signing,
        noun="signing of a waiver",
        rows=lambda account: account.signings.all(),
        identity_columns=("email", "phone"),
        delete_rows=_erase_signings,
        page_url=lambda row: f"{_DASHBOARD_PATH}/{row.waiver_id}/signatures",
    ),
    PersonalTable(
        model=SigningInvitation,
        noun="person who was asked to sign a waiver",
        rows=lambda account: SigningInvitation.objects.filter(account=account),
        identity_columns=("email",),
        page_url=lambda row: f"{_DASHBOARD_PATH}/{row.waiver_id}/share/ask",
    ),
    PersonalTable(model=Signature, noun="signature of a waiver", rows=lambda account: account.signatures.all()),
    PersonalTable(model=NameWord, noun="word of a name", rows=lambda account: NameWord.objects.filter(account=account)),
    PersonalTable(
        model=WaiverVersion,
        noun="version of a waiver",
        rows=lambda account: WaiverVersion.objects.filter(waiver__account=account),
    ),
    item_table(Waiver, "waiver", dashboard_path=_DASHBOARD_PATH),
]
