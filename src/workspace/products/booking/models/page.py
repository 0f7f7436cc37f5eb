"""Booking pages, where guests book available times.

A booking takes the time of a resource, which is a person or a room. Two pages with the same resource share its time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection, models
from django.utils.translation import gettext_noop

from workspace.accounts.models import Account, Upload
from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.lib.weekly_hours import Window
from workspace.products.booking import messages
from workspace.products.booking.models.booking_status import live_filter
from workspace.products.booking.rules.opening_hours import OpeningHours
from workspace.publishing.models import Embeddable, Publication, picture_restorers
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.journal import Journaled

KIND = "book"
CALL_TO_ACTION = gettext_noop("Book a time")
DEFAULT_CURRENCY = "USD"


def _page_id() -> str:
    return new_id("bpg")


def _block_id() -> str:
    return new_id("blk")


class Resource(models.Model):
    """The person or room whose time is booked.

    Its key is a number, because the database constraint against overlapping bookings needs one.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="resources")
    name = models.CharField(max_length=120, blank=True)  # empty for the account's owner

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account"], condition=models.Q(name=""), name="one_resource_for_the_owner")
        ]

    def __str__(self) -> str:
        return self.name or "You"

    @classmethod
    def get_own(cls, account: Account) -> Resource:
        """Return the owner's resource. Create it for the first page. Call it with the account locked."""
        return cls.objects.get_or_create(account=account, name="")[0]

    @classmethod
    def lock_row(cls, id: int) -> None:
        """Lock a row until the transaction ends, so that no other call can book, reschedule or approve.

        SQLite needs no lock, because it has only one writer.
        """
        if connection.features.has_select_for_no_key_update:
            list(cls.objects.filter(pk=id).select_for_update(no_key=True).values_list("pk"))


class BookingPage(Embeddable):
    kind = KIND
    pictures = ("image",)
    journal_displayed_fields = {**Embeddable.journal_displayed_fields, "image": ("image_id", None), "resource": None}
    journal_field_restorers = {**Embeddable.journal_field_restorers, **picture_restorers(*pictures)}
    COPY_EXCLUDED = frozenset(["resource"])

    id = models.CharField(primary_key=True, max_length=40, default=_page_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="booking_pages")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="booking_page")
    resource = models.ForeignKey(Resource, on_delete=models.RESTRICT, related_name="pages")
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    place = models.CharField(max_length=500, blank=True)
    time_zone = models.CharField(max_length=64)
    currency = models.CharField(max_length=3, default=DEFAULT_CURRENCY)
    image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    language = models.CharField(max_length=8, blank=True)
    hours: models.JSONField[list[Window], list[Window]] = models.JSONField(default=list, blank=True)

    class Meta(Embeddable.Meta):
        verbose_name = "booking page"

    def __str__(self) -> str:
        return self.name

    @property
    def call_to_action(self) -> str:
        """The call to action for print and websites, untranslated."""
        return CALL_TO_ACTION

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @classmethod
    def create_page(cls, account: Account, **fields: Any) -> BookingPage:
        """Create a page.

        Raise OperationNotAllowedError if the plan's limit is reached, or InvalidInputError for an invalid argument.
        """
        cls.check_quota(account)
        usual = {
            "time_zone": account.time_zone,
            "currency": Brand.for_account(account).currency or DEFAULT_CURRENCY,
            "resource": Resource.get_own(account),
        }
        return cls.open(account, **{**usual, **fields})

    @classmethod
    def check_quota(cls, account: Account, added_count: int = 1) -> None:
        most = account.limits(KIND).pages
        if most is not None and cls.is_full(account, most, added_count):
            way_out = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(messages.PAGE_LIMIT(most=most, way_out=way_out))

    @classmethod
    def ids_with_guests(cls, pages: Sequence[BookingPage]) -> set[str]:
        """Return the ids of pages that have guests, including pages with bookings."""
        booked = cls._base_manager.filter(pk__in=[item.pk for item in pages]).exclude(bookings=None)
        return super().ids_with_guests(pages) | set(booked.values_list("pk", flat=True))

    @classmethod
    def remove_many(cls, pages: Sequence[BookingPage]) -> None:
        """Delete pages. Raise OperationNotAllowedError if any has upcoming bookings.

        Otherwise, guests would find no page, and hidden bookings would still block their time. For the same reason, the
        creation of such a page cannot be undone.
        """
        now = clock.now()
        shown = cls._base_manager.filter(pk__in=[item.pk for item in pages]).order_by()
        coming = shown.filter(live_filter(now, "bookings__"), bookings__ends_at__gt=now)
        counts = Counter(coming.values_list("pk", flat=True))  # each page appears once for each of its bookings
        for item in pages:
            if count := counts[item.pk]:
                raise OperationNotAllowedError(messages.UPCOMING_BOOKINGS(page=item.name, count=count))
        super().remove_many(pages)

    def opening_hours(self, first: date, last: date) -> OpeningHours:
        """Return the opening hours of these dates and of the adjacent days."""
        return OpeningHours(self.hours, dict(_overrides_between.fetch(self, first, last)), self.zone)


class DateOverride(Journaled):
    """A date when the page has other hours. If there are no windows, the date is closed."""

    journal_item_path = "page"
    journal_displayed_fields = {"id": None, "page": None}

    page = models.ForeignKey(BookingPage, on_delete=models.CASCADE, related_name="date_overrides")
    date = models.DateField()
    windows: models.JSONField[list[Window], list[Window]] = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ("date",)
        constraints = [models.UniqueConstraint(fields=["page", "date"], name="one_date_override_a_date")]

    def __str__(self) -> str:
        return f"{self.date}"


class Block(Journaled):
    """A time that the owner has blocked, on all pages of the resource."""

    journal_displayed_fields = dict.fromkeys(("id", "account", "resource", "created_at"))

    id = models.CharField(primary_key=True, max_length=40, default=_block_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="blocks")
    resource = models.ForeignKey(Resource, on_delete=models.CASCADE, related_name="blocks")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("starts_at", "id")
        indexes = [models.Index(fields=["resource", "ends_at"], name="blocks_of_a_resource")]
        constraints = [
            models.CheckConstraint(condition=models.Q(ends_at__gt=models.F("starts_at")), name="block_takes_time")
        ]

    def __str__(self) -> str:
        return self.reason or f"{self.starts_at:%Y-%m-%d %H:%M}"


@compile_once
def _overrides_between(page: BookingPage, first: date, last: date) -> models.QuerySet[DateOverride, Any]:
    return page.date_overrides.filter(date__gte=first, date__lte=last).values_list("date", "windows")
