"""A publication: the public state of an item of any product.

Pausing, expiry, password, ban and the version for caches are the same for a QR code, a card or a menu.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.contrib.auth.hashers import check_password
from django.db import IntegrityError, connection, models, transaction
from django.db.models import Q
from typing_extensions import override

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.ids import new_id, new_slug
from workspace.publishing import live_blocks, messages
from workspace.publishing.models.address import Address
from workspace.publishing.models.search_document import SearchDocument
from workspace.publishing.models.starter import is_starting
from workspace.publishing.slugs import clean_slug
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.compiled_write import update_by_key
from workspace.storage.journal import ChangeDisplay, Journaled, update_row, update_rows


class State(StrEnum):
    LIVE = "live"
    PAUSED = "paused"
    EXPIRED = "expired"
    DELETED = "deleted"
    BANNED = "banned"


def compute_state(
    paused_at: datetime | None, expires_at: datetime | None, banned_at: datetime | None, deleted_at: datetime | None
) -> State:
    if banned_at:
        return State.BANNED
    if deleted_at:
        return State.DELETED
    if paused_at:
        return State.PAUSED
    if expires_at and expires_at <= clock.now():
        return State.EXPIRED
    return State.LIVE


def initial_state(
    *,
    live: bool = True,
    password: str = "",
    expires_at: datetime | None = None,
    code_style: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the state of a new publication as column values."""
    paused = None if live else clock.now()
    state = {"paused_at": paused, "password": password, "expires_at": expires_at, "code_style": dict(code_style or {})}
    return state | {"is_starter": is_starting()}


def share_image_key(id: str) -> str:
    """Return the storage key of a publication's share preview image."""
    return f"share-{id}"


def _publication_id() -> str:
    return new_id("pub")


class Publication(Journaled):
    journal_secret_fields = ("password",)
    journal_display = ChangeDisplay.ITEM
    journal_displayed_fields = {"paused_at": ("live", operator.not_), "deleted_at": None, "code_style": ("style", None)}

    id = models.CharField(primary_key=True, max_length=40, default=_publication_id, editable=False)
    # The publications of a deleted account remain: their addresses return 410 and are never reassigned.
    account = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="publications")
    kind = models.CharField(max_length=12)
    slug = models.CharField(max_length=50)  # of the newest address, so that lists need no join
    version = models.PositiveIntegerField(default=1)
    paused_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    # Style of its QR code, empty for the brand's. Items of the QR product have their own style.
    code_style: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    password = models.CharField(max_length=128, blank=True)
    banned_at = models.DateTimeField(null=True, blank=True)
    ban_reason = models.CharField(max_length=200, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    is_starter = models.BooleanField(default=False)  # created with the account; see `Startable.list_starters`

    class Meta:
        """Options of the model.

        The index is small. Each new item looks for starters, even in accounts with many publications.
        """

        indexes = [
            models.Index(
                fields=["account"], condition=Q(is_starter=True, deleted_at=None), name="publications_to_start"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @classmethod
    def open(cls, account: Account, kind: str, slug: str | None = None, **state: Any) -> Publication:
        """Create a publication at the given slug or a random one. Raise InvalidInputError at `slug`."""
        return cls.open_many(account, kind, [slug], [state])[0]

    @classmethod
    def open_many(
        cls, account: Account, kind: str, slugs: Sequence[str | None], states: Sequence[Mapping[str, Any]]
    ) -> list[Publication]:
        """Create a publication with a state for each slug.

        None means a random slug, and "" means no address. If a slug is malformed, taken or given twice, create nothing
        and raise InvalidInputError at `slug`.
        """
        chosen = [clean_slug(slug) if slug else slug for slug in slugs]
        publications = [
            Publication(account=account, kind=kind, slug=new_slug() if slug is None else slug, **state)
            for slug, state in zip(chosen, states, strict=True)
        ]
        create_rows(publications)
        left = Address.create_many([(kind, one.slug, one.pk) for one in publications if one.slug])
        if any(slug and one.slug in left for slug, one in zip(chosen, publications, strict=True)):
            cls.delete_many(one.pk for one in publications)
            raise InvalidInputError.at_path("slug", messages.ADDRESS_TAKEN)
        while left:  # a random slug is taken: choose another one
            homeless = [one for one in publications if one.slug in left]
            for one in homeless:
                one.slug = new_slug()
            Publication.objects.bulk_update(homeless, ["slug"])
            left = Address.create_many([(kind, one.slug, one.pk) for one in homeless])
        SearchDocument.enqueue_update(kind, [one.pk for one in publications])
        return publications

    @property
    def state(self) -> State:
        return compute_state(self.paused_at, self.expires_at, self.banned_at, self.deleted_at)

    @property
    def is_public(self) -> bool:
        """True if everyone can see it: it is live and has no password."""
        return self.state is State.LIVE and not self.password

    @staticmethod
    def public_filter(prefix: str, at: datetime) -> Q:
        """Return the condition for `is_public`, for rows that refer to a publication by `prefix`."""
        shut = {f"{prefix}{name}_at": None for name in ("banned", "deleted", "paused")}
        lasting = Q(**{f"{prefix}expires_at": None}) | Q(**{f"{prefix}expires_at__gt": at})
        return Q(**shut, **{f"{prefix}password": ""}) & lasting

    @classmethod
    def lock_live(cls, id: str) -> Publication | None:
        """Lock the publication and return it if guests can still act on it, or return None.

        The lock prevents a guest's write from overlapping a deletion by the owner.
        """
        found = _publication_for_update.fetch(id)
        return found[0] if found and found[0].state is State.LIVE else None

    @property
    def has_moved(self) -> bool:
        """True if the publication may have more than one address. Each change of the slug increases the version."""
        return self.version > 1

    def move(self, slug: str) -> None:
        """Change the slug. Former slugs continue to work.

        A former slug of this publication can be used again. Raise InvalidInputError at `slug` if it is malformed or
        taken by another publication.
        """
        slug = clean_slug(slug)
        try:
            with transaction.atomic():
                # A former slug is created again, so that it becomes the newest one, which is the current one.
                self.addresses.filter(slug=slug).delete()
                Address.objects.create(kind=self.kind, slug=slug, publication=self)
                self.slug = slug
                self.save(update_fields=["slug"])
        except IntegrityError:
            raise InvalidInputError.at_path("slug", messages.ADDRESS_TAKEN) from None
        self.bump_version()

    def bump_version(self) -> None:
        """Mark visible content as changed.

        Cached pages of older versions become stale, and live blocks on other pages are updated.
        """
        self.bump_versions(self.kind, [self.pk])
        self.version += 1
        if self.account_id is not None:
            live_blocks.notify_changed(self.account_id, self.kind)

    @classmethod
    def bump_versions(cls, kind: str, ids: Iterable[str]) -> None:
        changed = list(ids)
        update_by_key(cls, changed, increased=("version",))
        SearchDocument.enqueue_update(kind, changed)

    def pause(self) -> None:
        if self.paused_at is None:
            self._change_fields(paused_at=clock.now())

    def resume(self) -> None:
        self._change_fields(paused_at=None)

    def set_expiry(self, moment: datetime | None) -> None:
        """Set the expiry, where None means never."""
        self._change_fields(expires_at=moment)

    def set_password(self, hashed: str) -> None:
        """Require the password with this hash; an empty hash removes the password."""
        self._change_fields(password=hashed)

    def set_qr_style(self, style: dict[str, Any]) -> None:
        """Set the style of its QR code. An empty style means the style of the brand."""
        self._change_fields(code_style=style)

    def accepts_password(self, password: str) -> bool:
        return check_password(password, self.password)

    def ban(self, reason: str) -> None:
        """Ban the publication for a reason. Only the administrator can ban and unban."""
        self._change_fields(banned_at=clock.now(), ban_reason=reason[:200])

    def unban(self) -> None:
        self._change_fields(banned_at=None, ban_reason="")

    @classmethod
    def hide_many(cls, publications: Iterable[Publication]) -> None:
        """Hide publications whose items are in the bin. Their addresses return 410 until the items are restored."""
        now = clock.now()
        cls.mark_many_changed(update_rows((publication, {"deleted_at": now}) for publication in publications))

    @classmethod
    def delete_many(cls, ids: Iterable[str]) -> None:
        """Delete publications that no guest has seen, and free their addresses."""
        gone = list(ids)
        Address.objects.filter(publication_id__in=gone).delete()
        cls.objects.filter(pk__in=gone).delete()

    def retire(self) -> None:
        """Mark the publication as belonging to a permanently deleted item.

        Its addresses are kept and return 410, because printed codes may still be in use. The journal does not record
        this, because without the item, there would be nothing to restore.
        """
        self.deleted_at = clock.now()
        self.save(update_fields=["deleted_at"])
        self.bump_version()

    @override
    @classmethod
    def mark_many_changed(cls, publications: Iterable[Publication]) -> None:
        """Increase the versions of publications whose state changed. The journal also calls this after an undo."""
        kinds: dict[str, list[str]] = {}
        for publication in publications:
            kinds.setdefault(publication.kind, []).append(publication.pk)
        for kind, ids in kinds.items():
            cls.bump_versions(kind, ids)

    def _change_fields(self, **fields: Any) -> None:
        if update_row(self, **fields):
            self.bump_version()


@compile_once
def _publication_for_update(id: str) -> models.QuerySet[Publication]:
    found = Publication.objects.filter(pk=id)
    return found.select_for_update(no_key=True) if connection.features.has_select_for_no_key_update else found
