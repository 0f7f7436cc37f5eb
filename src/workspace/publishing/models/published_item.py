"""What all things share that an account shows in public: a card, a menu, a page of links. Each has a publication, which
holds its state and its addresses, and changes only by the methods that stand here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.db import models, transaction
from django.http import Http404

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.publishing import live_blocks
from workspace.publishing.arguments import PUBLISHING_ARGUMENTS, parse_future_moment
from workspace.publishing.models.address import Address
from workspace.publishing.models.counters import VisitCounter
from workspace.publishing.models.publication import Publication, initial_state, share_image_key
from workspace.publishing.models.soft_delete import DELETED, NOT_DELETED, SoftDeleted
from workspace.publishing.models.starter import Startable
from workspace.publishing.public_urls import public_url
from workspace.storage import journal
from workspace.storage.files import store


class ItemGoneError(Http404):
    """What a guest looks at or acts on was paused, deleted or banned in this very moment."""


class PublishedItem(Startable, SoftDeleted):
    """A product's model declares `kind` (the product's key), `account` and `publication`, whose names on the other side
    are its own, and in `pictures` the names of its foreign keys to uploads."""

    kind: ClassVar[str]
    pictures: ClassVar[tuple[str, ...]] = ()
    COPY_EXCLUDED: ClassVar[frozenset[str]] = frozenset()  # fields that another one like it does not begin with
    if TYPE_CHECKING:
        account: models.ForeignKey[Account, Account]
        publication: models.OneToOneField[Publication, Publication]
        publication_id: str
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        abstract = True
        ordering = ("-id",)  # ids sort by time of making
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["account", "-id"], name="%(app_label)s_%(class)s_newest", condition=NOT_DELETED),
            # small: what guests left with a thing is listed unless the thing is among these
            models.Index(fields=["account"], name="%(app_label)s_%(class)s_binned", condition=DELETED),
        ]

    @classmethod
    def open(
        cls,
        account: Account,
        *,
        slug: str | None = None,
        live: bool = True,
        password: str = "",
        expires_at: str = "",
        code_style: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> Self:
        """A new one, at a slug of the owner's choice or a random one, of what an owner gave as for `edit`. Raises
        InvalidInput at the argument. Noted as new and no more, so that undoing it leaves nothing behind."""
        cls.replace_starters(account)
        ends = parse_future_moment(expires_at, account.zone, "expires_at")
        state = initial_state(live=live, password=password, expires_at=ends, code_style=code_style)
        publication = Publication.open(account, cls.kind, slug if cls.has_address(fields) else "", **state)
        [fields] = cls._image_fields(account, [(None, cls().with_implied_fields(fields))])
        times = dict.fromkeys(("created_at", "updated_at"), clock.now())
        made: Self = cls._default_manager.create(account=account, publication=publication, **{**times, **fields})
        journal.set_item(cls.kind, made.pk)
        journal.record_new_rows(made)
        return made

    @classmethod
    def open_many(
        cls, account: Account, wanted: Sequence[Mapping[str, Any]], *, paths: Sequence[str] = ()
    ) -> list[Self]:
        """One for each set of fields, as `open` takes them, by a few queries. Lists that show the newest first show
        them in this order. `paths`: where each set stands among the arguments (`items.3`), for what is refused."""
        if not wanted:
            return []
        cls.replace_starters(account)
        wanted = cls._image_fields(account, [(None, cls().with_implied_fields(fields)) for fields in wanted], paths)
        slugs = [(fields.pop("slug", None) or None) if cls.has_address(fields) else "" for fields in wanted]
        published = [
            {name: fields.pop(name) for name in (*PUBLISHING_ARGUMENTS, "code_style") if name in fields}
            for fields in wanted
        ]
        for state, path in zip(published, paths or [""] * len(published), strict=True):
            ends = state.get("expires_at", "")
            state["expires_at"] = parse_future_moment(ends, account.zone, f"{path}.expires_at".removeprefix("."))
        publications = Publication.open_many(account, cls.kind, slugs, [initial_state(**state) for state in published])
        times = dict.fromkeys(("created_at", "updated_at"), clock.now())
        # ids of one millisecond would otherwise sort by chance
        ids = sorted((cls._meta.pk.get_default() for _ in wanted), reverse=True)
        made = []
        for id, publication, fields in zip(ids, publications, wanted, strict=True):
            made.append(cls(**{"id": id, **times, **fields}, account=account, publication=publication))
        cls._default_manager.bulk_create(made)
        journal.set_item(cls.kind, made[0].pk)
        journal.record_new_rows(*made)
        return made

    @classmethod
    def has_address(cls, fields: Mapping[str, Any]) -> bool:
        """Whether one of these fields is found at an address; else its publication has none."""
        return True

    @classmethod
    def from_address(cls, address: Address) -> Self:
        """What is published at an address, with its account. Raises ItemGoneError when it was deleted a moment ago."""
        publication = address.publication
        found: Self | None = cls._default_manager.filter(publication_id=publication.pk).first()
        if found is None or publication.account is None:
            raise ItemGoneError
        found.publication, found.account = publication, publication.account
        return found

    @property
    def slug(self) -> str:
        return self.publication.slug

    @property
    def public_url(self) -> str:
        """The address that guests use; empty for what has none."""
        return public_url(self.publication.account_id, self.kind, self.slug)

    @property
    def symbol_text(self) -> str:
        """What its code holds; in upper case an address takes fewer modules."""
        return self.public_url.upper()

    def change(self, **fields: Any) -> None:
        """Set some of its fields, `NAME_id` of a picture among them; guests see it at their next load."""
        self.change_many([(self, fields)])

    @classmethod
    def change_many(cls, wanted: Iterable[tuple[Self, Mapping[str, Any]]], *, paths: Sequence[str] = ()) -> list[Self]:
        """The same for many of one account, by a few queries; those that differ. `paths` as in `open_many`."""
        changes = [(thing, thing.with_implied_fields(fields)) for thing, fields in wanted]
        if not changes:
            return []
        worn = cls._image_fields(changes[0][0].account, changes, paths)
        if changed := journal.update_rows((thing, fields) for (thing, _), fields in zip(changes, worn, strict=True)):
            cls.mark_many_changed(changed)
        return changed

    def edit(self, **given: Any) -> None:
        """What an owner gave, by the names that tools have for it. Raises InvalidInputError at each."""
        published = {name: given.pop(name) for name in PUBLISHING_ARGUMENTS if name in given}
        if given:
            self.change(**given)
        self.publish(**published)

    def publish(
        self,
        *,
        slug: str | None = None,
        live: bool | None = None,
        password: str | None = None,
        expires_at: str | None = None,
    ) -> None:
        """Change how it is published, as far as it is given; `password` is a hash, `expires_at` in the account's zone
        where it names none, and both may be empty for none. Raises InvalidInputError at `slug` and `expires_at`."""
        ends = None if expires_at is None else parse_future_moment(expires_at, self.account.zone, "expires_at")
        if slug is not None:
            self.move(slug)
        if live is not None:
            self.resume() if live else self.pause()
        journal.set_item(self.kind, self.pk)
        if password is not None and (password or self.publication.password):
            self.publication.set_password(password)
        if expires_at is not None:
            self.publication.set_expiry(ends)

    def attach_image(self, name: str, upload_id: str) -> None:
        """Take one of the account's pictures as `name`, or none for an empty id. Raises InvalidInputError at
        `NAME_id`."""
        self.change(**{f"{name}_id": upload_id})

    def with_implied_fields(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a change, or of one that is made, with those that follow from them."""
        return fields

    @classmethod
    def _image_fields(
        cls, account: Account, wanted: Sequence[tuple[Self | None, Mapping[str, Any]]], paths: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """The fields with the pictures whose ids are among them, taken into use; what they replace is released."""
        found = [dict(fields) for _, fields in wanted]
        taken: dict[tuple[int, str], tuple[str, str]] = {}  # an upload's id, and where that stands
        released: list[str] = []
        for number, (thing, _) in enumerate(wanted):
            for name in cls.pictures:
                id = found[number].pop(f"{name}_id", None)
                earlier = getattr(thing, f"{name}_id") if thing is not None else None
                if id is None or id == (earlier or ""):
                    continue
                found[number][name] = None
                if id:
                    taken[number, name] = id, ".".join([*paths[number : number + 1], f"{name}_id"])
                if earlier:
                    released.append(earlier)
        uploads = Upload.claim_many(account, list(taken.values()))
        for (number, name), (id, _) in taken.items():
            found[number][name] = uploads[id]
        Upload.release_many(released)
        return found

    def move(self, slug: str) -> None:
        """Give it another slug; the earlier ones go on working. Raises InvalidInputError at `slug`."""
        earlier = self.slug
        if slug.lower() == earlier:
            return
        journal.set_item(self.kind, self.pk)
        self.publication.move(slug)
        journal.record_field_changes(self, {"slug": (earlier, slug.lower())})

    restore_slug = move  # the journal's name for it

    def pause(self) -> None:
        journal.set_item(self.kind, self.pk)
        self.publication.pause()

    def resume(self) -> None:
        journal.set_item(self.kind, self.pk)
        self.publication.resume()

    def mark_changed(self) -> None:
        """Something that guests see has changed, also in its parts. Not noted in the journal: a version only grows."""
        self.mark_many_changed([self])

    @classmethod
    def mark_many_changed(cls, things: Sequence[Self]) -> None:
        journal.set_item(cls.kind, things[0].pk)
        now = clock.now()
        for thing in things:
            thing.updated_at = now
        cls._base_manager.filter(pk__in=[thing.pk for thing in things]).update(updated_at=now)
        Publication.bump_versions(cls.kind, (thing.publication_id for thing in things))
        live_blocks.notify_changed(things[0].account, cls.kind)

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        """Raises OperationNotAllowedError where the account's plan has no room for so many more."""

    def remove(self) -> None:
        """Put it into the bin with its parts: its addresses answer 410, and for 30 days it can be taken back."""
        self.remove_many([self])

    @classmethod
    def remove_many(cls, things: Sequence[Self]) -> None:
        """The same for many of one account, by a few queries."""
        if not things:
            return
        journal.set_item(cls.kind, things[0].pk)
        now = clock.now()
        # first, so that a guest's act either precedes the deletion or is told that this is gone
        Publication.hide_many([thing.publication for thing in things])
        journal.update_rows((thing, {"binned_at": now}) for thing in things)
        live_blocks.notify_changed(things[0].account, cls.kind)

    @classmethod
    def restore_many_binned_at(cls, pairs: Sequence[tuple[Self, datetime | None]]) -> None:
        if back := sum(moment is None for _, moment in pairs):
            cls.check_quota(pairs[0][0].account, back)
        journal.update_rows((thing, {"binned_at": moment}) for thing, moment in pairs)

    @classmethod
    def unmake_many(cls, things: Sequence[Self]) -> None:
        """What undoing their creation does: where no guest ever came and nothing was done to them since, nothing of
        them stays, and the address is free again; elsewhere they go to the bin, with what others may have done."""
        kept = cls.ids_with_guests(things) | {thing.pk for thing in things if thing.updated_at != thing.created_at}
        if seen := [thing for thing in things if thing.pk in kept]:
            cls.remove_many(seen)
        unseen = [thing for thing in things if thing.pk not in kept]
        for thing in unseen:
            thing.release_files()
        cls._base_manager.filter(pk__in=[thing.pk for thing in unseen]).delete()
        Publication.delete_many(thing.publication_id for thing in unseen)
        live_blocks.notify_changed(things[0].account, cls.kind)

    @classmethod
    def ids_with_guests(cls, things: Sequence[Self]) -> set[str]:
        """The ids of those to which a guest ever came."""
        visited = VisitCounter.objects.filter(publication_id__in=[thing.publication_id for thing in things])
        publications = set(visited.values_list("publication_id", flat=True))
        return {thing.pk for thing in things if thing.publication_id in publications}

    def release_files(self) -> None:
        """Let go of its pictures, before it is deleted for good."""
        transaction.on_commit(lambda: store.delete(share_image_key(self.publication_id)))
        Upload.release_many([id for name in self.pictures if (id := getattr(self, f"{name}_id"))])

    def purge(self) -> None:
        """Delete it for good with its parts. Its addresses answer 410 for ever and are given to nobody else."""
        self.release_files()
        self.delete()
