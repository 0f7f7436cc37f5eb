"""Personal data in certificates.

After an erasure, only the code remains, which proves that a certificate was issued.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.lib.data_subject import ERASED_MARKER
from workspace.products.certs.models import Certificate, NameWord, Template
from workspace.publishing.privacy import item_table
from workspace.storage.files import store

_DASHBOARD_PATH = "/app/certs"


def _erase_certificates(account: Account, certificates: Sequence[Certificate]) -> None:
    for certificate in certificates:
        for key in filter(None, (certificate.pdf_key, certificate.badge_key)):
            transaction.on_commit(partial(store.delete, key))
    NameWord.objects.filter(certificate__in=[certificate.pk for certificate in certificates]).delete()
    Certificate.objects.filter(pk__in=[certificate.pk for certificate in certificates]).update(
        name=ERASED_MARKER,
        email="",
        custom="",
        reference="",
        revoke_reason="",
        pdf_key="",
        badge_key="",
        is_emailed=False,
        search="",
    )


PERSONAL_DATA = [
    PersonalTable(
        model=Certificate,
        noun="certificate",
        rows=lambda account: account.certificates.all(),
        identity_columns=("email",),
        delete_rows=_erase_certificates,
        page_url=lambda row: f"{_DASHBOARD_PATH}/{row.template_id}/issued" if row.template_id else _DASHBOARD_PATH,
    ),
    PersonalTable(model=NameWord, noun="word of a name", rows=lambda account: NameWord.objects.filter(account=account)),
    item_table(Template, "certificate template", dashboard_path=_DASHBOARD_PATH),
]
