"""The tables of notice boards."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.publishing.models import Publication, PublishedItem

KIND = "pinboard"  # the product's key in plans, publications and reports


def _notice_board_id() -> str:
    return new_id("pinboard")


class NoticeBoard(PublishedItem):
    """A notice board with a public page.

    `PublishedItem` creates, changes and deletes it, writes the journal for undo, and expires cached pages."""

    kind = KIND

    id = models.CharField(primary_key=True, max_length=40, default=_notice_board_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="notice_boards")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="notice_board")
    title = models.CharField(max_length=80)
    text = models.TextField(blank=True)

    def __str__(self) -> str:
        """Return the name of the notice board in lists, messages and the change log."""
        return self.title

    @classmethod
    def check_quota(cls, account: Account, count: int = 1) -> None:
        """Raise OperationNotAllowedError if the account's plan does not allow `count` more notice boards."""
        most = account.limits(KIND).notice_boards
        if most is not None and cls.is_full(account, most, count):
            advice = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(f"Your plan includes {most} notice boards, and all are in use: {advice}")
