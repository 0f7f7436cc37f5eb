"""What certificates hold of people: who is erased leaves a code behind that says no more than that it was given out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import Held
from workspace.lib.data_subject import ERASED
from workspace.products.certs.models import Certificate, NameWord, Template
from workspace.publishing.privacy import thing
from workspace.storage.files import store

_HOME = "/app/certs"


def _forget(account: Account, found: Sequence[Certificate]) -> None:
    for one in found:
        for key in filter(None, (one.pdf_key, one.badge_key)):
            transaction.on_commit(partial(store.delete, key))
    NameWord.objects.filter(certificate__in=[one.pk for one in found]).delete()
    Certificate.objects.filter(pk__in=[one.pk for one in found]).update(
        name=ERASED,
        email="",
        custom="",
        reference="",
        revoke_reason="",
        pdf_key="",
        badge_key="",
        is_mailed=False,
        search="",
    )


PERSONAL = [
    Held(
        model=Certificate,
        noun="certificate",
        rows=lambda account: account.certificates.all(),
        theirs=("email",),
        drop=_forget,
        page=lambda row: f"{_HOME}/{row.template_id}/issued" if row.template_id else _HOME,
    ),
    Held(model=NameWord, noun="word of a name", rows=lambda account: NameWord.objects.filter(account=account)),
    thing(Template, "certificate template", home=_HOME),
]
