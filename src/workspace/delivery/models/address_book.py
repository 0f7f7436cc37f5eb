"""Address books that an owner has connected, and the contacts that we wrote to them."""

from __future__ import annotations

from typing import TypedDict

from django.db import models

from workspace.accounts.models import Account
from workspace.delivery.models.calendar import MAX_PROBLEM_LENGTH, MAX_URL_LENGTH
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage import encryption, journal
from workspace.storage.journal import Journaled

PASSWORD = "contacts.password"
DEFAULT_GROUP = "Leads"


def _address_book_id() -> str:
    return new_id("abk")


class AddressBookHealth(models.TextChoices):
    NEW = "new"  # nothing was written to it yet
    GOOD = "good"
    BROKEN = "broken"


class Book(TypedDict):
    """An address book at a URL, with the vCard version that it accepts."""

    url: str
    name: str
    writes: bool
    version: str


class AddressBook(Journaled):
    """A connection to an address book server.

    `target_book` is the URL of the book in `available_books` that contacts are written to. It is empty until one is
    selected. `products` are the keys of the products whose contacts are written. `next_at` is None while there is
    nothing to do, because the connection is off or its owner has to act. `cursor` is the id of the account's newest
    change at the last comparison. `revision` increases whenever the destination of contacts changes, so that results
    from an earlier state are discarded.
    """

    journal_secret_fields = ("password",)
    journal_displayed_fields = {
        "removes_deleted": ("take_out", bool),
        "target_book": ("into", None),
        **dict.fromkeys(
            ("account", "id", "url", "password", "host", "available_books", "health", "problem", "failing_since")
        ),
        **dict.fromkeys(("owner_warned", "reached_at", "checked_at", "compared_at", "cursor", "next_at", "revision")),
        "created_at": None,
    }

    id = models.CharField(primary_key=True, max_length=40, default=_address_book_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="address_books")
    name = models.CharField(max_length=120)
    url = models.CharField(max_length=MAX_URL_LENGTH)
    host = models.CharField(max_length=300)
    username = models.CharField(max_length=254)
    password = models.TextField()
    available_books: models.JSONField[list[Book], list[Book]] = models.JSONField(default=list)
    target_book = models.CharField(max_length=MAX_URL_LENGTH, blank=True)
    products: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    group = models.CharField(max_length=60, blank=True, default=DEFAULT_GROUP)
    removes_deleted = models.BooleanField(default=True)
    live = models.BooleanField(default=True)
    health = models.CharField(max_length=10, choices=AddressBookHealth.choices, default=AddressBookHealth.NEW)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    owner_warned = models.BooleanField(default=False)  # the owner was notified that it is broken
    reached_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    compared_at = models.DateTimeField(null=True, blank=True)
    cursor = models.CharField(max_length=40, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    revision = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes = [
            models.Index(fields=["account", "id"], name="address_books_of_an_account"),
            models.Index(fields=["next_at"], name="address_books_by_their_turn", condition=~models.Q(next_at=None)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_enabled(self) -> bool:
        return self.live and bool(self.target_book)

    @property
    def version(self) -> str:
        return next((one["version"] for one in self.available_books if one["url"] == self.target_book), "3.0")

    def credentials(self) -> tuple[str, str]:
        """Return the user name and password. Raise DecryptionError if they cannot be decrypted."""
        return self.username, encryption.decrypt_secret(self.password, self.account_id, PASSWORD)

    def schedule_full_sync(self) -> None:
        """Schedule a full comparison and discard the results of a running synchronization."""
        self.revision, self.checked_at, self.compared_at = self.revision + 1, None, None
        self.next_at = clock.now() if self.is_enabled else None
        self.save(update_fields=["revision", "checked_at", "compared_at", "next_at"])

    def _restore_target_book(self, url: str) -> None:
        journal.update_row(self, target_book=url)
        self.schedule_full_sync()

    def _restore_products(self, products: list[str]) -> None:
        journal.update_row(self, products=products)
        self.schedule_full_sync()

    def _restore_removes_deleted(self, takes_out: bool) -> None:
        journal.update_row(self, removes_deleted=takes_out)
        self.schedule_full_sync()

    def _restore_live(self, live: bool) -> None:
        journal.update_row(self, live=live)
        self.schedule_full_sync()

    journal_field_restorers = {
        "target_book": _restore_target_book,
        "products": _restore_products,
        "removes_deleted": _restore_removes_deleted,
        "live": _restore_live,
    }


class ContactCopyState(models.TextChoices):
    WAITING = "waiting"
    THERE = "there"
    THEIRS = "theirs"  # changed or deleted by the owner in the book, so we no longer touch it
    FAILED = "failed"


class ContactCopy(models.Model):
    """A contact that we wrote to a URL or are about to write.

    No personal data is stored here. `subject` is the id of the submission, `digest` shows whether it has changed, and
    `rev` contains the digits of the last REV. If `pending_removal` is set, the contact is removed if it is unchanged in
    the book. If `erased` is set, it is always removed.
    """

    address_book = models.ForeignKey(AddressBook, on_delete=models.CASCADE, related_name="copies")
    product = models.CharField(max_length=12)
    subject = models.CharField(max_length=40)
    url = models.CharField(max_length=MAX_URL_LENGTH)
    digest = models.CharField(max_length=64)
    etag = models.CharField(max_length=200, blank=True)
    rev = models.CharField(max_length=14, blank=True)
    state = models.CharField(max_length=10, choices=ContactCopyState.choices, default=ContactCopyState.WAITING)
    pending_removal = models.BooleanField(default=False)
    erased = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    next_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["address_book", "subject", "url"], name="one_copy_an_address"),
        ]
        indexes = [
            models.Index(fields=["subject"], name="contact_copies_of_a_person"),
            models.Index(
                fields=["address_book", "next_at"], name="contact_copies_that_wait", condition=models.Q(state="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} ({self.state})"
