"""Forms: a public page with the questions of the latest version, and the settings for responses."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_noop

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.brand.style import Style
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.owner_translation import owner_gettext
from workspace.products.form import messages
from workspace.products.form.rules.response_folders import INBOX
from workspace.publishing.models import Embeddable, Publication

KIND = "form"


def _form_id() -> str:
    return new_id("form")


class Form(Embeddable):
    """A form.

    `version` is the number of the FormVersion that guests see. `keys` are the keys of all fields that ever existed,
    with their types. A key is never reused for another field."""

    kind = KIND
    call_to_action = gettext_noop("Fill out the form")
    # set on creation
    COPY_EXCLUDED = frozenset(["version", "keys", "notified_max_responses", "notified_closes_at"])
    journal_displayed_fields = {**Embeddable.journal_displayed_fields, "keys": None}

    id = models.CharField(primary_key=True, max_length=40, default=_form_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="forms")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="form")
    title = models.CharField(max_length=200)
    version = models.PositiveIntegerField(default=1)
    keys: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    accepting = models.BooleanField(default=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    max_responses = models.PositiveIntegerField(null=True, blank=True)
    # the limit and the closing time about which the owner was notified
    notified_max_responses = models.PositiveIntegerField(null=True, blank=True, editable=False)
    notified_closes_at = models.DateTimeField(null=True, blank=True, editable=False)
    one_per_email = models.BooleanField(default=False)
    one_at_a_time = models.BooleanField(default=False)  # one question per screen
    thank_you = models.TextField(blank=True)
    redirect_url = models.CharField(max_length=2000, blank=True)
    # recipients of notifications about responses, besides the owner
    notify: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    receipt = models.BooleanField(default=False)
    language = models.CharField(max_length=8, blank=True)  # empty for the guest's language
    color = models.CharField(max_length=7, blank=True)  # #rrggbb; empty for the brand's color

    class Meta(Embeddable.Meta):
        verbose_name = "form"
        indexes: ClassVar[list[models.Index]] = [
            *Embeddable.Meta.indexes,
            models.Index(fields=["closes_at"], name="form_that_closes", condition=models.Q(closes_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def style(self) -> Style:
        """The brand's style, with the form's own color if it has one."""
        return Brand.for_account(self.account).style_with_color(self.color)

    @property
    def definition(self) -> dict[str, Any]:
        """The current questions, in the format of `form_input.py`."""
        return self.definition_at(self.version)

    def definition_at(self, number: int) -> dict[str, Any]:
        result: dict[str, Any] = self.versions.get(number=number).body
        return result

    @property
    def is_over(self) -> bool:
        return self.closes_at is not None and self.closes_at <= clock.now()

    def closed_reason(self, responses: int | None = None) -> str:
        """Return why the form does not accept answers (`paused`, `over` or `full`), or an empty string if it does.

        `responses` is the number of responses in the inbox, if it is known.
        """
        if not self.accepting or self.is_over:
            return "over" if self.accepting else "paused"
        if self.max_responses is None:
            return ""
        return "full" if (self.response_count if responses is None else responses) >= self.max_responses else ""

    @property
    def response_count(self) -> int:
        """The number of responses in the inbox."""
        return self.responses.filter(folder=INBOX).count()

    def mark_count_changed(self) -> None:
        """If the form has a limit, mark its page as changed after responses were added or removed."""
        if self.max_responses is not None:
            self.mark_changed()

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        most = account.limits(KIND).forms
        if most is not None and cls.is_full(account, most, wanted):
            way_out = account.with_upgrade_hint(KIND, owner_gettext("delete one"))
            raise OperationNotAllowedError(messages.FORM_LIMIT(most=most, way_out=way_out))

    def release_files(self) -> None:
        webhooks.set_item_endpoint(self.account, self.pk, "")
        self.files.delete_with_contents()
        super().release_files()
