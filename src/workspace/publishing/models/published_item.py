"""Base model of all items with a public page, such as a card, a menu or a link page.

Each item has a publication, with its state and addresses, and changes only through the methods here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.db import models, transaction
from django.http import Http404
from typing_extensions import override

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.publishing import live_blocks
from workspace.publishing.models.address import Address
from workspace.publishing.models.publication import Publication, initial_state, share_image_key
from workspace.publishing.models.soft_delete import DELETED, NOT_DELETED, SoftDeleted
from workspace.publishing.models.starter import Startable
from workspace.publishing.models.visit_counters import VisitCounter
from workspace.publishing.public_urls import public_url
from workspace.publishing.shared_item_arguments import PUBLISHING_ARGUMENTS, parse_future_moment
from workspace.storage import journal
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.database.compiled_write import update_by_key
from workspace.storage.files import store
from workspace.storage.journal import FieldRestorer


class ItemGoneError(Http404):
    """The item was paused, deleted or banned while a guest viewed or used it."""


def picture_restorers(*names: str) -> dict[str, FieldRestorer]:
    """Return functions that restore these pictures of an item, for `journal_field_restorers`."""
    return {name: partial(_restore_picture, name) for name in names}


def _restore_picture(name: str, item: PublishedItem, upload_id: str | None) -> None:
    item.attach_image(name, upload_id or "")


class PublishedItem(Startable, SoftDeleted):
    """An item with a publication.

    A product's model declares `kind` (the product's key), `account` and `publication` with their related names, and
    `pictures` with the names of its foreign keys to uploads.
    """

    kind: ClassVar[str]
    pictures: ClassVar[tuple[str, ...]] = ()
    counted_changes: ClassVar[tuple[str, ...]] = ()  # fields that every change increments
    COPY_EXCLUDED: ClassVar[frozenset[str]] = frozenset()  # fields that a copy does not inherit
    if TYPE_CHECKING:
        account: models.ForeignKey[Account, Account]
        publication: models.OneToOneField[Publication, Publication]
        publication_id: str
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        abstract = True
        ordering = ("-id",)  # ids sort by creation time
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["account", "-id"], name="%(app_label)s_%(class)s_newest", condition=NOT_DELETED),
            # It is small: submissions are listed unless their item is among these.
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
        """Create an item from an owner's values (see `edit`), at the given slug or a random one.

        Raise InvalidInputError at the argument. The journal records only that the item is new, so that an undo removes
        it completely.
        """
        cls.replace_starters(account)
        ends = parse_future_moment(expires_at, account.zone, "expires_at")
        state = initial_state(live=live, password=password, expires_at=ends, code_style=code_style)
        publication = Publication.open(account, cls.kind, slug if cls.has_address(fields) else "", **state)
        [fields] = cls._image_fields(account, [(None, cls._derive_new_fields(fields))])
        times = dict.fromkeys(("created_at", "updated_at"), clock.now())
        made = cls(account=account, publication=publication, **{**times, **fields})
        create_rows([made])
        journal.set_item(cls.kind, made.pk)
        journal.record_new_rows(made)
        return made

    @classmethod
    def open_many(
        cls, account: Account, values: Sequence[Mapping[str, Any]], *, paths: Sequence[str] = ()
    ) -> list[Self]:
        """Create one item per set of fields, as `open` does, with a few queries.

        Lists that show the newest items first show them in this order. `paths` contains the paths of the sets in the
        arguments (`items.3`), for errors.
        """
        if not values:
            return []
        cls.replace_starters(account)
        values = cls._image_fields(account, [(None, cls._derive_new_fields(fields)) for fields in values], paths)
        slugs = [(fields.pop("slug", None) or None) if cls.has_address(fields) else "" for fields in values]
        published = [
            {name: fields.pop(name) for name in (*PUBLISHING_ARGUMENTS, "code_style") if name in fields}
            for fields in values
        ]
        for state, path in zip(published, paths or [""] * len(published), strict=True):
            ends = state.get("expires_at", "")
            state["expires_at"] = parse_future_moment(ends, account.zone, f"{path}.expires_at".removeprefix("."))
        publications = Publication.open_many(account, cls.kind, slugs, [initial_state(**state) for state in published])
        times = dict.fromkeys(("created_at", "updated_at"), clock.now())
        # Ids created in the same millisecond would have a random order.
        ids = sorted((cls._meta.pk.get_default() for _ in values), reverse=True)
        made = []
        for id, publication, fields in zip(ids, publications, values, strict=True):
            made.append(cls(**{"id": id, **times, **fields}, account=account, publication=publication))
        create_rows(made)
        journal.set_item(cls.kind, made[0].pk)
        journal.record_new_rows(*made)
        return made

    @classmethod
    def has_address(cls, fields: Mapping[str, Any]) -> bool:
        """Return whether an item with these fields has a public address. The default is True."""
        return True

    @classmethod
    def from_address(cls, address: Address) -> Self:
        """Return the item at an address, with its account. Raise ItemGoneError if it has just been deleted."""
        publication = address.publication
        found: list[Self] = _query_at(cls).fetch_rows(publication=publication.pk)
        if not found or publication.account is None:
            raise ItemGoneError
        [item] = found
        item.publication, item.account = publication, publication.account
        return item

    @property
    def slug(self) -> str:
        return self.publication.slug

    @property
    def public_url(self) -> str:
        """The URL for guests, or "" if the item has no address."""
        return public_url(self.publication.account_id, self.kind, self.slug)

    @property
    def symbol_text(self) -> str:
        """The content of its QR code. A URL in upper case needs fewer modules."""
        return self.public_url.upper()

    def change(self, **fields: Any) -> None:
        """Set fields, including `NAME_id` for an image. Guests see the change when they reload the page."""
        self.change_many([(self, fields)])

    @classmethod
    def change_many(cls, updates: Iterable[tuple[Self, Mapping[str, Any]]], *, paths: Sequence[str] = ()) -> list[Self]:
        """Change many items of one account with a few queries. Return those that differ.

        `paths` is as in `open_many`.
        """
        changes = [(item, item.add_derived_fields(fields)) for item, fields in updates]
        if not changes:
            return []
        worn = cls._image_fields(changes[0][0].account, changes, paths)
        if changed := journal.update_rows((item, fields) for (item, _), fields in zip(changes, worn, strict=True)):
            cls.mark_many_changed(changed)
        return changed

    def edit(self, **fields: Any) -> None:
        """Apply an owner's values, keyed by tool argument. Raise InvalidInputError at the invalid ones."""
        published = {name: fields.pop(name) for name in PUBLISHING_ARGUMENTS if name in fields}
        if fields:
            self.change(**fields)
        self.publish(**published)

    def publish(
        self,
        *,
        slug: str | None = None,
        live: bool | None = None,
        password: str | None = None,
        expires_at: str | None = None,
    ) -> None:
        """Change how the item is published, for arguments that are not None.

        `password` is a hash. `expires_at` is in the account's time zone unless it has an offset. If they are empty, the
        password or expiry is removed. Raise InvalidInputError at `slug` and `expires_at`.
        """
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
        """Set the image `name` to an upload of the account, or remove it if the id is empty.

        Raise InvalidInputError at `NAME_id`.
        """
        self.change(**{f"{name}_id": upload_id})

    def add_derived_fields(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields of a change or of a new item, including fields derived from them."""
        return fields

    @classmethod
    def _derive_new_fields(cls, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        derives = cls.add_derived_fields is not PublishedItem.add_derived_fields
        return cls().add_derived_fields(fields) if derives else fields

    @classmethod
    def _image_fields(
        cls, account: Account, changes: Sequence[tuple[Self | None, Mapping[str, Any]]], paths: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """Replace image ids in the fields with claimed uploads, and release the uploads that they replace."""
        found = [dict(fields) for _, fields in changes]
        taken: dict[tuple[int, str], tuple[str, str]] = {}  # id and argument path of an upload
        released: list[str] = []
        for number, (item, _) in enumerate(changes):
            for name in cls.pictures:
                id = found[number].pop(f"{name}_id", None)
                earlier = getattr(item, f"{name}_id") if item is not None else None
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
        """Change the slug. Former slugs continue to work. Raise InvalidInputError at `slug`."""
        earlier = self.slug
        if slug.lower() == earlier:
            return
        journal.set_item(self.kind, self.pk)
        self.publication.move(slug)
        journal.record_field_changes(self, {"slug": (earlier, slug.lower())})

    journal_field_restorers = {"slug": move}

    def pause(self) -> None:
        journal.set_item(self.kind, self.pk)
        self.publication.pause()

    def resume(self) -> None:
        journal.set_item(self.kind, self.pk)
        self.publication.resume()

    def mark_changed(self) -> None:
        """Mark content that guests see, including parts, as changed.

        The journal does not record this, because a version only increases.
        """
        self.mark_many_changed([self])

    @override
    @classmethod
    def mark_many_changed(cls, items: Sequence[Self]) -> None:
        journal.set_item(cls.kind, items[0].pk)
        now = clock.now()
        for item in items:
            item.updated_at = now
            for name in cls.counted_changes:
                setattr(item, name, getattr(item, name) + 1)
        update_by_key(cls, [item.pk for item in items], updated_at=now, increased=cls.counted_changes)
        Publication.bump_versions(cls.kind, (item.publication_id for item in items))
        live_blocks.notify_changed(items[0].account, cls.kind)

    @classmethod
    def check_quota(cls, account: Account, count: int = 1) -> None:
        """Raise OperationNotAllowedError if the account's plan does not allow this many more items."""

    def remove(self) -> None:
        """Move the item with its parts to the bin.

        Its addresses return 410, and it can be restored for 30 days.
        """
        self.remove_many([self])

    @classmethod
    def remove_many(cls, items: Sequence[Self]) -> None:
        """Move many items of one account to the bin, with a few queries."""
        if not items:
            return
        journal.set_item(cls.kind, items[0].pk)
        now = clock.now()
        # Must run first, so that a guest's write either precedes the deletion or fails.
        Publication.hide_many([item.publication for item in items])
        journal.update_rows((item, {"binned_at": now}) for item in items)
        live_blocks.notify_changed(items[0].account, cls.kind)

    @staticmethod
    def _restore_from_bin(pairs: Sequence[tuple[PublishedItem, datetime | None]]) -> None:
        if back := sum(moment is None for _, moment in pairs):
            first = pairs[0][0]
            first.check_quota(first.account, back)
        journal.update_rows((item, {"binned_at": moment}) for item, moment in pairs)

    journal_bulk_restorers = {"binned_at": _restore_from_bin}

    @override
    @classmethod
    def undo_creation_many(cls, items: Sequence[Self]) -> None:
        """Undo the creation of items.

        Items without visits or later changes are deleted completely, and their addresses become available again. Other
        items go to the bin, with everything that guests submitted.
        """
        kept = cls.ids_with_guests(items) | {item.pk for item in items if item.updated_at != item.created_at}
        if seen := [item for item in items if item.pk in kept]:
            cls.remove_many(seen)
        unseen = [item for item in items if item.pk not in kept]
        for item in unseen:
            item.release_files()
        cls._base_manager.filter(pk__in=[item.pk for item in unseen]).delete()
        Publication.delete_many(item.publication_id for item in unseen)
        live_blocks.notify_changed(items[0].account, cls.kind)

    @classmethod
    def ids_with_guests(cls, items: Sequence[Self]) -> set[str]:
        """Return the ids of the items that guests have visited."""
        visited = VisitCounter.objects.filter(publication_id__in=[item.publication_id for item in items])
        publications = set(visited.values_list("publication_id", flat=True))
        return {item.pk for item in items if item.publication_id in publications}

    def release_files(self) -> None:
        """Release the item's images. Call it before the item is deleted permanently."""
        transaction.on_commit(lambda: store.delete(share_image_key(self.publication_id)))
        Upload.release_many([id for name in self.pictures if (id := getattr(self, f"{name}_id"))])

    def purge(self) -> None:
        """Delete the item and its parts permanently. Its addresses return 410 and are never reassigned."""
        self.release_files()
        self.delete()


@cache
def _query_at(model: type[PublishedItem]) -> CompiledQuery[Any]:
    """Return the query for the only item of a publication."""
    return CompiledQuery(lambda: model._default_manager.filter(publication_id=parameter("publication")).order_by())
