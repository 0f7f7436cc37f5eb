"""A publication: one thing that an account shows in public, whatever the product. Pausing, expiry, a password, a ban
and the version that caches go by are the same for a QR code, a card or a menu, so they stand here once."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.contrib.auth.hashers import check_password
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F, Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.ids import new_id, new_slug
from workspace.publishing import live_blocks
from workspace.publishing.models.address import Address
from workspace.publishing.models.search_document import SearchDocument
from workspace.publishing.models.starter import is_starting
from workspace.publishing.slugs import clean_slug
from workspace.storage.journal import update_row, update_rows

TAKEN_MESSAGE = "This address is taken: choose another"


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
    """How a new one is published, as its row keeps it."""
    paused = None if live else clock.now()
    state = {"paused_at": paused, "password": password, "expires_at": expires_at, "code_style": dict(code_style or {})}
    return state | {"is_starter": is_starting()}


def share_image_key(id: str) -> str:
    """Under which the picture of a publication rests that messengers show of it."""
    return f"share-{id}"


def _publication_id() -> str:
    return new_id("pub")


class Publication(models.Model):
    JOURNAL_SECRET = ("password",)
    JOURNAL_PART = True  # a change of it is told as one of the thing that is published
    JOURNAL_TOLD = {"paused_at": ("live", operator.not_), "deleted_at": None, "code_style": ("style", None)}

    id = models.CharField(primary_key=True, max_length=40, default=_publication_id, editable=False)
    # an account that is closed leaves its addresses behind: they answer 410 and are given to nobody else
    account = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="publications")
    kind = models.CharField(max_length=12)
    slug = models.CharField(max_length=50)  # of the newest address, so that lists need not ask for it
    version = models.PositiveIntegerField(default=1)
    paused_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    # the look of its code, empty for the brand's; a QR code has its own
    code_style: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    password = models.CharField(max_length=128, blank=True)
    banned_at = models.DateTimeField(null=True, blank=True)
    ban_reason = models.CharField(max_length=200, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    is_starter = models.BooleanField(default=False)  # it came with the account; see `Published.starters`

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @classmethod
    def open(cls, account: Account, kind: str, slug: str | None = None, **state: Any) -> Publication:
        """A new publication at a slug of the owner's choice, or at a random one. Raises InvalidInputError at `slug`."""
        return cls.open_many(account, kind, [slug], [state])[0]

    @classmethod
    def open_many(
        cls, account: Account, kind: str, slugs: Sequence[str | None], states: Sequence[Mapping[str, Any]]
    ) -> list[Publication]:
        """A publication for each slug, where None asks for a random one and "" for no address, with its state. Raises
        InvalidInput at `slug` when one is malformed, taken or given twice, and then there is none."""
        chosen = [clean_slug(slug) if slug else slug for slug in slugs]
        publications = [
            Publication(account=account, kind=kind, slug=new_slug() if slug is None else slug, **state)
            for slug, state in zip(chosen, states, strict=True)
        ]
        Publication.objects.bulk_create(publications)
        left = Address.create_many([one for one in publications if one.slug])
        if any(slug and one.slug in left for slug, one in zip(chosen, publications, strict=True)):
            cls.delete_many(one.pk for one in publications)
            raise InvalidInputError.at_path("slug", TAKEN_MESSAGE)
        while left:  # a random slug clashed: draw anew
            homeless = [one for one in publications if one.slug in left]
            for one in homeless:
                one.slug = new_slug()
            Publication.objects.bulk_update(homeless, ["slug"])
            left = Address.create_many(homeless)
        SearchDocument.enqueue_update(kind, [one.pk for one in publications])
        return publications

    @property
    def state(self) -> State:
        return compute_state(self.paused_at, self.expires_at, self.banned_at, self.deleted_at)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it: it is live and asks for no password."""
        return self.state is State.LIVE and not self.password

    @staticmethod
    def public_filter(prefix: str, at: datetime) -> Q:
        """`is_public` as a condition on rows that lead to a publication by `prefix`."""
        shut = {f"{prefix}{name}_at": None for name in ("banned", "deleted", "paused")}
        lasting = Q(**{f"{prefix}expires_at": None}) | Q(**{f"{prefix}expires_at__gt": at})
        return Q(**shut, **{f"{prefix}password": ""}) & lasting

    @classmethod
    def lock_live(cls, id: str) -> Publication | None:
        """The publication, held until the transaction ends, if guests may still act on it: a guest's write and its
        owner's deletion then follow one another. None when it is not live any more."""
        found = cls.objects.all()
        if connection.features.has_select_for_no_key_update:
            found = found.select_for_update(no_key=True)
        publication = found.filter(pk=id).first()
        return publication if publication is not None and publication.state is State.LIVE else None

    @property
    def has_moved(self) -> bool:
        """Whether it may have other addresses than that of its slug. Each move is a new version."""
        return self.version > 1

    def move(self, slug: str) -> None:
        """Give the publication another slug; the old ones go on working for ever. Going back to one of its own is fine.
        Raises InvalidInputError at `slug` when it is malformed or somebody else's."""
        slug = clean_slug(slug)
        try:
            with transaction.atomic():
                # one of its own is made anew: as the newest it is the current one again
                self.addresses.filter(slug=slug).delete()
                Address.objects.create(kind=self.kind, slug=slug, publication=self)
                self.slug = slug
                self.save(update_fields=["slug"])
        except IntegrityError:
            raise InvalidInputError.at_path("slug", TAKEN_MESSAGE) from None
        self.bump_version()

    def bump_version(self) -> None:
        """Something that guests see has changed: every cached page of an older version is stale from now on, and so is
        what other pages show of it."""
        self.bump_versions(self.kind, [self.pk])
        self.version += 1
        if self.account_id is not None:
            live_blocks.notify_changed(self.account_id, self.kind)

    @classmethod
    def bump_versions(cls, kind: str, ids: Iterable[str]) -> None:
        changed = list(ids)
        cls.objects.filter(pk__in=changed).update(version=F("version") + 1)
        SearchDocument.enqueue_update(kind, changed)

    def pause(self) -> None:
        if self.paused_at is None:
            self._change_fields(paused_at=clock.now())

    def resume(self) -> None:
        self._change_fields(paused_at=None)

    def set_expiry(self, moment: datetime | None) -> None:
        """Stop answering at the moment; None for never."""
        self._change_fields(expires_at=moment)

    def set_password(self, hashed: str) -> None:
        """Ask guests for the password of this hash; an empty one asks no more."""
        self._change_fields(password=hashed)

    def set_qr_style(self, style: dict[str, Any]) -> None:
        """Give its code this look; an empty one is the brand's."""
        self._change_fields(code_style=style)

    def accepts_password(self, password: str) -> bool:
        return check_password(password, self.password)

    def ban(self, reason: str) -> None:
        """The operator's word; only the operator lifts it."""
        self._change_fields(banned_at=clock.now(), ban_reason=reason[:200])

    def unban(self) -> None:
        self._change_fields(banned_at=None, ban_reason="")

    @classmethod
    def hide_many(cls, publications: Iterable[Publication]) -> None:
        """What was published lies in the bin: its addresses answer 410 until it is taken back."""
        now = clock.now()
        cls.mark_many_changed(update_rows((publication, {"deleted_at": now}) for publication in publications))

    @classmethod
    def delete_many(cls, ids: Iterable[str]) -> None:
        """Free the addresses of what no guest ever saw."""
        gone = list(ids)
        Address.objects.filter(publication_id__in=gone).delete()
        cls.objects.filter(pk__in=gone).delete()

    def retire(self) -> None:
        """What was published is deleted for good. The addresses stay, answering 410: paper outlives rows. Not noted in
        the journal, since bringing them back alone would leave them with nothing to show."""
        self.deleted_at = clock.now()
        self.save(update_fields=["deleted_at"])
        self.bump_version()

    @classmethod
    def mark_many_changed(cls, publications: Iterable[Publication]) -> None:
        """Something has changed of their state; the journal calls it when it has put something back."""
        kinds: dict[str, list[str]] = {}
        for publication in publications:
            kinds.setdefault(publication.kind, []).append(publication.pk)
        for kind, ids in kinds.items():
            cls.bump_versions(kind, ids)

    def _change_fields(self, **fields: Any) -> None:
        if update_row(self, **fields):
            self.bump_version()
