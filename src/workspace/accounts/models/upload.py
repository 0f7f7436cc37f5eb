"""Pictures and files that an account has sent, until a product takes them into use. Pictures are shown to guests where
a product shows them; files are their owner's alone."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import F, Sum

from workspace.accounts.models.account import Account
from workspace.storage import files, pictures
from workspace.storage.database import writing
from workspace.storage.pictures import Picture
from workspace.toolkit import clock
from workspace.toolkit.errors import InvalidInput, ToolError
from workspace.toolkit.ids import new_id

MAX_WAITING = 200
KEPT_WAITING = timedelta(days=1)
MOST_FILES = {False: 100 * 1024 * 1024, True: 1024 * 1024 * 1024}  # bytes in all, by whether the account pays
PICTURE, FILE = "picture", "file"


def _upload_id() -> str:
    return new_id("upl")


class Upload(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_upload_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="uploads")
    kind = models.CharField(max_length=10, choices=[(PICTURE, "Picture"), (FILE, "File")], default=PICTURE)
    name = models.CharField(max_length=120, blank=True)  # of a file, as it is saved under
    media_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField(default=0)  # of a picture
    height = models.PositiveIntegerField(default=0)
    uses = models.PositiveIntegerField(default=0)  # how many things show it
    was_used = models.BooleanField(default=False)  # replaced since, where nothing shows it any more
    touched_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.pk

    @classmethod
    def keep(cls, account: Account, picture: Picture) -> Upload:
        """Raises ToolError when too many uploads wait to be used."""
        upload = cls(
            account=account,
            media_type=picture.media_type,
            size=len(picture.content),
            width=picture.width,
            height=picture.height,
        )
        pictures.keep(upload.pk, picture)  # first: a row never lacks its picture, and the disk is waited for outside
        try:
            with writing():
                waiting = account.uploads.filter(kind=PICTURE, uses=0, was_used=False)
                if waiting.count() >= MAX_WAITING:
                    raise ToolError(f"{MAX_WAITING} pictures are waiting to be used: use them, or try again tomorrow")
                upload.save(force_insert=True)
        except BaseException:
            pictures.forget(upload.pk)
            raise
        return upload

    @classmethod
    def keep_file(cls, account: Account, name: str, media_type: str, content: bytes) -> Upload:
        """A file that was looked at (`storage.media`). Raises ToolError when the account has no room for it."""
        upload = cls(account=account, kind=FILE, name=name, media_type=media_type, size=len(content))
        files.put(upload.pk, content)  # first, as for pictures
        try:
            with writing():
                account = account.lock()  # so that two at once cannot both find room
                uploads = account.uploads.filter(kind=FILE)
                most, used = MOST_FILES[account.pays], uploads.aggregate(sum=Sum("size"))["sum"] or 0
                if used + upload.size > most:
                    raise ToolError(
                        f"Your files fill their {most // 1024 // 1024} MB: delete what they belong to first"
                    )
                if uploads.filter(uses=0, was_used=False).count() >= MAX_WAITING:
                    raise ToolError(f"{MAX_WAITING} files are waiting to be used: use them, or try again tomorrow")
                upload.save(force_insert=True)
        except BaseException:
            files.delete(upload.pk)
            raise
        return upload

    @classmethod
    def picture_of(cls, account: Account, id: str) -> Upload | None:
        """The account's picture, for looking at; a file is none."""
        return account.uploads.filter(pk=id, kind=PICTURE).first()

    @classmethod
    def claim(cls, account: Account, id: str, path: str, kind: str = PICTURE) -> Upload:
        """The account's upload, with one more use; raises InvalidInput at the argument's path when there is none of
        this kind."""
        if not account.uploads.filter(pk=id, kind=kind).update(uses=F("uses") + 1, was_used=True):
            raise InvalidInput.at(path, f"There is no such upload: send the {kind} again")
        return account.uploads.get(pk=id)

    def release(self) -> None:
        """One use less; housekeeping removes what nothing uses any more."""
        Upload.objects.filter(pk=self.pk, uses__gt=0).update(uses=F("uses") - 1, touched_at=clock.now())

    @property
    def content(self) -> bytes:
        return pictures.kept(self.pk)

    def at(self, width: int) -> bytes:
        """The content at one of the widths of pictures, or narrower; raises FileNotFoundError when it is gone."""
        return pictures.kept(self.pk, width)

    @classmethod
    def forget_unused(cls) -> int:
        """Housekeeping: uploads that nothing has used for a day."""
        old = list(cls.objects.filter(uses=0, touched_at__lt=clock.now() - KEPT_WAITING).values_list("pk", flat=True))
        for key in old:
            with writing():
                gone, _ = cls.objects.filter(pk=key, uses=0).delete()
            if gone:
                pictures.forget(key)
        return len(old)
