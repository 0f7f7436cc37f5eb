"""What all things share that an account shows in public: a card, a menu, a page of links. Each has a publication, which
holds its state and its addresses, and changes only by the methods that stand here."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.db import models
from django.http import Http404

from workspace.accounts.models import Account, Upload
from workspace.publishing import live_blocks
from workspace.publishing.arguments import PUBLISHING, moment
from workspace.publishing.models.address import Address
from workspace.publishing.models.binned import Binned
from workspace.publishing.models.publication import Publication
from workspace.publishing.models.visit import Tally
from workspace.publishing.own_address import public_url
from workspace.storage import journal
from workspace.toolkit import clock


class Gone(Http404):
    """What a guest looks at or acts on was paused, deleted or banned in this very moment."""


class Published(Binned):
    """A product's model declares `kind` (the product's key), `account` and `publication`, whose names on the other side
    are its own, and in `pictures` the names of its foreign keys to uploads."""

    kind: ClassVar[str]
    pictures: ClassVar[tuple[str, ...]] = ()
    if TYPE_CHECKING:
        account: models.ForeignKey[Account, Account]
        publication: models.OneToOneField[Publication, Publication]
        publication_id: str
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        abstract = True
        ordering = ("-id",)  # ids sort by time of making

    @classmethod
    def open(
        cls,
        account: Account,
        *,
        slug: str | None = None,
        live: bool = True,
        password: str = "",
        expires_at: str = "",
        **fields: Any,
    ) -> Self:
        """A new one, at a slug of the owner's choice or a random one, of what an owner gave as for `edit`. Raises
        InvalidInput at the argument. Noted as new and no more, so that undoing it leaves nothing behind."""
        publication = Publication.open(
            account,
            cls.kind,
            slug,
            paused_at=None if live else clock.now(),
            password=password,
            expires_at=moment(expires_at, account.zone, "expires_at"),
        )
        for name in cls.pictures:
            if id := fields.pop(f"{name}_id", ""):
                fields[name] = Upload.claim(account, id, f"{name}_id")
        made = cls._default_manager.create(account=account, publication=publication, **fields)
        journal.about(cls.kind, made.pk)
        journal.add(made)
        return made

    @classmethod
    def at(cls, address: Address) -> Self:
        """What is published at an address, with its account. Raises Gone when it was deleted a moment ago."""
        publication = address.publication
        found = cls._default_manager.filter(publication_id=publication.pk).first()
        if found is None or publication.account is None:
            raise Gone
        found.publication, found.account = publication, publication.account
        return found

    @property
    def slug(self) -> str:
        return self.publication.slug

    @property
    def public_url(self) -> str:
        """The address that guests use."""
        return public_url(self.publication.account_id, self.kind, self.slug)

    def change(self, **fields: Any) -> None:
        """Set some of its fields; guests see it at their next load."""
        journal.about(self.kind, self.pk)
        if journal.change(self, **fields):
            self.touched()

    def edit(self, **given: Any) -> None:
        """What an owner gave, by the names that tools have for it: fields, `NAME_id` of a picture, and how it is
        published. Raises InvalidInput at each."""
        published = {name: given.pop(name) for name in PUBLISHING if name in given}
        worn = {name: given.pop(f"{name}_id") for name in self.pictures if f"{name}_id" in given}
        if given:
            self.change(**given)
        for name, upload_id in worn.items():
            self.wear(name, upload_id)
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
        where it names none, and both may be empty for none. Raises InvalidInput at `slug` and `expires_at`."""
        ends = None if expires_at is None else moment(expires_at, self.account.zone, "expires_at")
        if slug is not None:
            self.move(slug)
        if live is not None:
            self.resume() if live else self.pause()
        journal.about(self.kind, self.pk)
        if password is not None and (password or self.publication.password):
            self.publication.protect(password)
        if expires_at is not None:
            self.publication.expire(ends)
        if password is not None or expires_at is not None:
            live_blocks.changed(self.account, self.kind)

    def wear(self, name: str, upload_id: str) -> None:
        """Take one of the account's pictures as `name`, or none for an empty id; the earlier one is released. Raises
        InvalidInput at `NAME_id` for one that there is not."""
        earlier: Upload | None = getattr(self, name)
        if upload_id == (earlier.pk if earlier else ""):
            return
        picture = Upload.claim(self.account, upload_id, f"{name}_id") if upload_id else None
        if earlier is not None:
            earlier.release()
        self.change(**{name: picture})

    def move(self, slug: str) -> None:
        """Give it another slug; the earlier ones go on working. Raises InvalidInput at `slug`."""
        earlier = self.slug
        if slug.lower() == earlier:
            return
        journal.about(self.kind, self.pk)
        self.publication.move(slug)
        journal.note_set(self, {"slug": (earlier, slug.lower())})
        live_blocks.changed(self.account, self.kind)

    restore_slug = move  # the journal's name for it

    def pause(self) -> None:
        journal.about(self.kind, self.pk)
        self.publication.pause()
        live_blocks.changed(self.account, self.kind)

    def resume(self) -> None:
        journal.about(self.kind, self.pk)
        self.publication.resume()
        live_blocks.changed(self.account, self.kind)

    def touched(self) -> None:
        """Something that guests see has changed, in its own fields or in its parts. Not noted in the journal: a version
        only grows."""
        journal.about(self.kind, self.pk)
        self.updated_at = clock.now()
        self.save(update_fields=["updated_at"])
        self.publication.bump()
        live_blocks.changed(self.account, self.kind)

    @classmethod
    def check_room(cls, account: Account) -> None:
        """Raises ToolError where the account's plan has no room for one more."""

    def remove(self) -> None:
        """Put it into the bin with all that belongs to it: its addresses answer 410, and for 30 days it can be taken
        back as it was."""
        journal.about(self.kind, self.pk)
        # first, so that a guest's act either precedes the deletion or is told that this is gone
        self.publication.hide()
        journal.change(self, binned_at=clock.now())
        live_blocks.changed(self.account, self.kind)

    def restore_binned_at(self, moment: datetime | None) -> None:
        if moment is None:
            self.check_room(self.account)
        journal.change(self, binned_at=moment)

    def unmake(self) -> None:
        """What undoing its creation does: where no guest ever came nothing of it stays, and its address is free again;
        elsewhere it goes to the bin."""
        if Tally.objects.filter(publication_id=self.publication_id).exists():
            self.remove()
            return
        publication = self.publication
        self.purge()
        publication.addresses.all().delete()
        publication.delete()
        live_blocks.changed(self.account, self.kind)

    def purge(self) -> None:
        """Delete it for good with all that belongs to it. Its addresses answer 410 for ever and are given to nobody
        else."""
        for name in self.pictures:
            picture: Upload | None = getattr(self, name)
            if picture is not None:
                picture.release()
        self.delete()
