"""Personal data in proposals. After its erasure, the agreement can still be proved.

Names, addresses, strokes, and the signed copy that shows them are erased. Hashes remain, and so does the record with
its digests.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.lib import clock
from workspace.lib.data_subject import ERASED_MARKER
from workspace.products.bid.models import Decision, LibraryItem, Message, Proposal, Revision, Template
from workspace.publishing.privacy import item_table
from workspace.storage.files import store

_DASHBOARD_PATH = "/app/bid"
_LOCK_PATH = "proposal__publication"


def _erase_signers(account: Account, decisions: Sequence[Decision]) -> None:
    for decision in decisions:
        if decision.pdf_key:
            transaction.on_commit(partial(store.delete, decision.pdf_key))
    # other text by a signer is also personal data
    Decision.objects.filter(pk__in=[decision.pk for decision in decisions]).update(
        name=ERASED_MARKER, email="", signature_strokes=[], comment="", consent="", pdf_key=""
    )


def _mark_erased_revisions(account: Account, revisions: Sequence[Revision]) -> None:
    """Mark revisions whose text named an erased person. Their hash is the hash of the earlier text."""
    Revision.objects.filter(pk__in=[revision.pk for revision in revisions]).update(erased_at=clock.now())


def _erase_messages(account: Account, messages: Sequence[Message]) -> None:
    ids = [message.pk for message in messages]
    Message._base_manager.filter(pk__in=ids).delete()
    change_log.erase_from_changes(account, ids)
    if bids := {message.proposal_id: message.proposal for message in messages}:
        Proposal.mark_many_changed(list(bids.values()))


def _page_path(row: Any) -> str:
    return f"{_DASHBOARD_PATH}/{row.proposal_id}"


PERSONAL_DATA = [
    PersonalTable(
        model=Decision,
        noun="decision on a proposal",
        rows=lambda account: Decision.objects.filter(proposal__account=account),
        identity_columns=("email",),
        delete_rows=_erase_signers,
        page_url=_page_path,
        lock_path=_LOCK_PATH,
    ),
    PersonalTable(
        model=Revision,
        noun="proposal revision",
        rows=lambda account: Revision.objects.filter(proposal__account=account),
        after_erase=_mark_erased_revisions,
        page_url=_page_path,
        lock_path=_LOCK_PATH,
    ),
    PersonalTable(
        model=Message,
        noun="question about a proposal",
        rows=lambda account: Message._base_manager.filter(account=account).select_related(
            "proposal__account", "proposal__publication"
        ),
        identity_columns=("email",),
        delete_rows=_erase_messages,
        page_url=_page_path,
        lock_path=_LOCK_PATH,
    ),
    # after the rows that depend on it, whose files must be deleted first
    item_table(
        Proposal,
        "proposal",
        identity_columns=("client_email",),
        name_columns=("client_name",),
        dashboard_path=_DASHBOARD_PATH,
    ),
    PersonalTable(
        model=LibraryItem,
        noun="library item",
        rows=lambda account: LibraryItem.objects.filter(account=account),
        page_url=lambda item: f"{_DASHBOARD_PATH}/library",
    ),
    PersonalTable(
        model=Template,
        noun="proposal template",
        rows=lambda account: Template.objects.filter(account=account),
        page_url=lambda item: f"{_DASHBOARD_PATH}/library",
    ),
]
