"""A form: what is asked at an address of its own, in the newest of its versions, and how answers are taken."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_noop

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.brand.style import Look
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.lib.ids import new_id
from workspace.lib.text import counted
from workspace.publishing.models import Framable, Publication

KIND = "form"


def _form_id() -> str:
    return new_id("form")


class Form(Framable):
    """`version` is the number of the FormVersion that guests see; `keys` are those of all fields that it ever had, with
    their types: none is used again for another field."""

    kind = KIND
    call = gettext_noop("Fill in the form")
    ITS_OWN = frozenset(["version", "keys", "full_told", "over_told"])  # told when it is made
    JOURNAL_TOLD = {**Framable.JOURNAL_TOLD, "keys": None}

    id = models.CharField(primary_key=True, max_length=40, default=_form_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="forms")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="form")
    title = models.CharField(max_length=200)
    version = models.PositiveIntegerField(default=1)
    keys: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    accepting = models.BooleanField(default=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    max_responses = models.PositiveIntegerField(null=True, blank=True)
    # of which cap and which day its owner was told that they closed it
    full_told = models.PositiveIntegerField(null=True, blank=True, editable=False)
    over_told = models.DateTimeField(null=True, blank=True, editable=False)
    one_per_email = models.BooleanField(default=False)
    one_at_a_time = models.BooleanField(default=False)  # one question a screen
    thank_you = models.TextField(blank=True)
    redirect_url = models.CharField(max_length=2000, blank=True)
    # who is told of a new response, beside the account's owner
    notify: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    receipt = models.BooleanField(default=False)
    language = models.CharField(max_length=8, blank=True)  # empty for the guest's
    colour = models.CharField(max_length=7, blank=True)  # #rrggbb, empty for the brand's

    class Meta(Framable.Meta):
        verbose_name = "form"
        indexes: ClassVar[list[models.Index]] = [
            *Framable.Meta.indexes,
            models.Index(fields=["closes_at"], name="form_that_closes", condition=models.Q(closes_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def look(self) -> Look:
        """The brand's, in its own colour where it has one."""
        return Brand.of(self.account).look_in(self.colour)

    @property
    def definition(self) -> dict[str, Any]:
        """What is asked now, as `shapes.py` says it."""
        return self.definition_of(self.version)

    def definition_of(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = self.versions.get(number=number).body
        return found

    @property
    def is_over(self) -> bool:
        return self.closes_at is not None and self.closes_at <= clock.now()

    def closed(self, responses: int | None = None) -> str:
        """Why it takes no answers now: `paused`, `over`, `full`, or nothing. `responses`: how many are in the inbox,
        where that is known."""
        if not self.accepting or self.is_over:
            return "over" if self.accepting else "paused"
        if self.max_responses is None:
            return ""
        return "full" if (self.received if responses is None else responses) >= self.max_responses else ""

    @property
    def received(self) -> int:
        """How many responses are in the inbox."""
        from workspace.products.form.models.response import INBOX, Response

        return Response.objects.filter(form=self, folder=INBOX).count()

    def counted_anew(self) -> None:
        """Responses came or went: where there is a cap, guests may see another page."""
        if self.max_responses is not None:
            self.touched()

    @classmethod
    def check_room(cls, account: Account, wanted: int = 1) -> None:
        most = account.limits(KIND).forms
        if most is not None and cls.is_full(account, most, wanted):
            way_out = account.or_larger(KIND, "delete one")
            raise ToolError(f"Your plan holds {counted(most, 'form')}: {way_out}")

    def release(self) -> None:
        from workspace.products.form.models.file import GuestFile

        webhooks.point(self.account, self.pk, "")
        GuestFile.forget(GuestFile.objects.filter(form=self))
        super().release()
