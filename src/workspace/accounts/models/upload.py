"""Pictures that an account has sent, until a product takes them into use."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import F

from workspace.accounts.models.account import Account
from workspace.storage import pictures
from workspace.storage.database import writing
from workspace.storage.pictures import Picture
from workspace.toolkit import clock
from workspace.toolkit.errors import InvalidInput, ToolError
from workspace.toolkit.ids import new_id

MAX_WAITING = 200
KEPT_WAITING = timedelta(days=1)


def _upload_id() -> str:
    return new_id("upl")


class Upload(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_upload_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="uploads")
    media_type = models.CharField(max_length=40)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
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
                if account.uploads.filter(uses=0, was_used=False).count() >= MAX_WAITING:
                    raise ToolError(f"{MAX_WAITING} pictures are waiting to be used: use them, or try again tomorrow")
                upload.save(force_insert=True)
        except BaseException:
            pictures.forget(upload.pk)
            raise
        return upload

    @classmethod
    def claim(cls, account: Account, id: str, path: str) -> Upload:
        """The account's upload, with one more use; raises InvalidInput at the argument's path when there is none."""
        if not account.uploads.filter(pk=id).update(uses=F("uses") + 1, was_used=True):
            raise InvalidInput.at(path, "There is no such upload: send the picture again")
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
