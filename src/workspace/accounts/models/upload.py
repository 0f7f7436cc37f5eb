"""Pictures and files that an account has sent, until a product takes them into use. Pictures are shown to guests where
a product shows them; files are their owner's alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar

from django.db import models, transaction
from django.db.models import F, Sum
from django.db.models.functions import Greatest

from workspace.accounts.models.account import Account
from workspace.accounts.models.change import Change
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue, OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import images, store
from workspace.storage.files.images import ImageData
from workspace.storage.row_tasks import RowTask, row_task

MAX_UNUSED = 200
UNUSED_RETENTION = timedelta(days=1)
MAX_STORAGE_BYTES = {False: 100 * 1024 * 1024, True: 1024 * 1024 * 1024}  # in all, by whether the account pays
PICTURE, FILE = "picture", "file"


_PREFIX = "upl"
_ID_PATTERN = re.compile(rf"{_PREFIX}_[0-9a-z]+")


def _upload_id() -> str:
    return new_id(_PREFIX)


class Upload(models.Model):
    delete_expired: ClassVar[RowTask]  # set below

    id = models.CharField(primary_key=True, max_length=40, default=_upload_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="uploads")
    kind = models.CharField(max_length=10, choices=[(PICTURE, "Picture"), (FILE, "File")], default=PICTURE)
    name = models.CharField(max_length=120, blank=True)  # of a file, as it is saved under
    media_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField(default=0)  # of a picture
    height = models.PositiveIntegerField(default=0)
    use_count = models.PositiveIntegerField(default=0)  # how many things show it
    was_used = models.BooleanField(default=False)  # replaced since, where nothing shows it any more
    last_used_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.pk

    @classmethod
    def create_image(cls, account: Account, picture: ImageData, name: str = "") -> Upload:
        """`name` is what a person called it. Raises OperationNotAllowedError when the account has no room for it, or
        too many uploads wait to be used."""
        upload = cls(
            account=account,
            name=name,
            media_type=picture.media_type,
            size=len(picture.content),
            width=picture.width,
            height=picture.height,
        )
        images.store_image(
            upload.pk, picture
        )  # first: a row never lacks its picture, and the disk is waited for outside
        try:
            with write_transaction():
                upload._check_space()
                waiting = account.uploads.filter(kind=PICTURE, use_count=0, was_used=False)
                if waiting.count() >= MAX_UNUSED:
                    raise OperationNotAllowedError(
                        f"{MAX_UNUSED} pictures are waiting to be used: use them, or try again tomorrow"
                    )
                upload.save(force_insert=True)
        except BaseException:
            images.delete_image(upload.pk)
            raise
        return upload

    @classmethod
    def create_file(cls, account: Account, name: str, media_type: str, content: bytes) -> Upload:
        """A file that was looked at (`storage.media`). Raises OperationNotAllowedError when the account has no room for
        it."""
        upload = cls(account=account, kind=FILE, name=name, media_type=media_type, size=len(content))
        store.put(upload.pk, content)  # first, as for pictures
        try:
            with write_transaction():
                upload._check_space()
                if account.uploads.filter(kind=FILE, use_count=0, was_used=False).count() >= MAX_UNUSED:
                    raise OperationNotAllowedError(
                        f"{MAX_UNUSED} files are waiting to be used: use them, or try again tomorrow"
                    )
                upload.save(force_insert=True)
        except BaseException:
            store.delete(upload.pk)
            raise
        return upload

    def _check_space(self) -> None:
        """Within the write that saves it. Raises OperationNotAllowedError when pictures and files together would be
        over the limit."""
        account = self.account.lock()  # so that two at once cannot both find room
        most, used = MAX_STORAGE_BYTES[account.is_paying], account.uploads.aggregate(sum=Sum("size"))["sum"] or 0
        if used + self.size > most:
            raise OperationNotAllowedError(
                f"Your pictures and files use all of their {most // 1024 // 1024} MB. Delete items with large pictures "
                "or files, then try again"
            )

    @classmethod
    def find_image(cls, account: Account, id: str) -> Upload | None:
        """The account's picture, for looking at; a file is none."""
        return account.uploads.filter(pk=id, kind=PICTURE).first()

    @classmethod
    def claim(cls, account: Account, id: str, path: str, kind: str = PICTURE) -> Upload:
        """The account's upload, with one more use; raises InvalidInput at the argument's path when there is none of
        this kind."""
        return cls.claim_many(account, [(id, path)], kind)[id]

    @classmethod
    def claim_many(cls, account: Account, wanted: Sequence[tuple[str, str]], kind: str = PICTURE) -> dict[str, Upload]:
        """Several by their ids, each with a use more for every time that it is wanted: pairs of an id and the path of
        the argument that names it. A few queries; raises InvalidInput at each path where there is none."""
        if not wanted:
            return {}
        ids = [id for id, _ in wanted]
        cls._count_uses(account.uploads.filter(kind=kind), ids, 1)
        found = {upload.pk: upload for upload in account.uploads.filter(kind=kind, pk__in=ids)}
        if missing := [path for id, path in wanted if id not in found]:
            raise InvalidInputError(
                [Issue(path, f"There is no such upload: send the {kind} again") for path in missing]
            )
        return found

    def release(self) -> None:
        """One use less; housekeeping removes what nothing uses any more."""
        self.release_many([self.pk])

    @classmethod
    def release_many(cls, ids: Sequence[str]) -> None:
        cls._count_uses(cls.objects.filter(use_count__gt=0), ids, -1)

    @classmethod
    def release_and_delete(cls, ids: Sequence[str]) -> None:
        """One use less of each, and gone at once if that was the last."""
        cls.release_many(ids)
        cls.delete_unused(ids)

    @classmethod
    def delete_unused(cls, ids: Collection[str]) -> None:
        """Those that nothing uses are gone, with their files when the transaction is committed, and not a day later."""
        unused = list(cls.objects.filter(pk__in=ids, use_count=0).values_list("pk", flat=True))
        cls.objects.filter(pk__in=unused).delete()
        for key in unused:
            transaction.on_commit(partial(images.delete_image, key))

    @staticmethod
    def _count_uses(uploads: models.QuerySet[Upload], ids: Sequence[str], by: int) -> None:
        """Count uses, by a query for each number of them that comes together."""
        together: dict[int, list[str]] = {}
        for id, count in Counter(ids).items():
            together.setdefault(count, []).append(id)
        for count, same in together.items():
            change: dict[str, Any] = {"was_used": True} if by > 0 else {"last_used_at": clock.now()}
            uploads.filter(pk__in=same).update(use_count=Greatest(F("use_count") + by * count, 0), **change)

    @property
    def content(self) -> bytes:
        return images.load_image(self.pk)

    def content_at(self, width: int) -> bytes:
        """The content at one of the widths of pictures, or narrower; raises FileNotFoundError when it is gone."""
        return images.load_image(self.pk, width)


def _expired_ids() -> list[str]:
    unused = Upload.objects.filter(use_count=0, last_used_at__lt=clock.now() - UNUSED_RETENTION)
    held = Change.ids_needed_for_undo(
        set(unused.filter(was_used=True).values_list("account_id", flat=True)), _ID_PATTERN
    )
    return [key for key in unused.values_list("pk", flat=True) if key not in held]


@row_task("accounts.delete_unused_uploads", _expired_ids)
def delete_expired(key: str) -> bool:
    """Delete an upload that nothing has used for a day, and that no undo can bring back into use."""
    with write_transaction():
        gone, _ = Upload.objects.filter(pk=key, use_count=0).delete()
    if gone:
        images.delete_image(key)
    return True


Upload.delete_expired = delete_expired
