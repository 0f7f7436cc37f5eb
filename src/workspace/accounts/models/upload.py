"""Images and files that an account has uploaded for use in its items.

Guests see images in the items that use them. Only members can open files.
"""

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

from workspace.accounts import messages
from workspace.accounts.models.account import Account
from workspace.accounts.models.change import Change
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue, OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import images, store
from workspace.storage.files.images import ImageData
from workspace.storage.row_tasks import RowTask, row_task

MAX_UNUSED = 200
UNUSED_RETENTION = timedelta(days=1)
MAX_STORAGE_BYTES = {False: 100 * 1024 * 1024, True: 1024 * 1024 * 1024}  # in total, by whether the account is paying
PICTURE, FILE = "picture", "file"


_PREFIX = "upl"
_ID_PATTERN = re.compile(rf"{_PREFIX}_[0-9a-z]+")


def _upload_id() -> str:
    return new_id(_PREFIX)


class Upload(CompiledModel):
    delete_expired: ClassVar[RowTask]  # set below

    id = models.CharField(primary_key=True, max_length=40, default=_upload_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="uploads")
    kind = models.CharField(max_length=10, choices=[(PICTURE, "Picture"), (FILE, "File")], default=PICTURE)
    name = models.CharField(max_length=120, blank=True)  # file name for downloads
    media_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField(default=0)  # of an image
    height = models.PositiveIntegerField(default=0)
    use_count = models.PositiveIntegerField(default=0)  # number of items that use it
    was_used = models.BooleanField(default=False)  # with `use_count` 0: the upload was used and then replaced
    last_used_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.pk

    @classmethod
    def create_image(cls, account: Account, picture: ImageData, name: str = "") -> Upload:
        """Store an image. `name` is the file name on the sender's device.

        Raise OperationNotAllowedError if the account has no space left or too many unused uploads.
        """
        upload = cls(
            account=account,
            name=name,
            media_type=picture.media_type,
            size=len(picture.content),
            width=picture.width,
            height=picture.height,
        )
        # Store the image first: a row must never lack its image, and slow storage must not delay the transaction.
        images.store_image(upload.pk, picture)
        try:
            with write_transaction():
                upload._check_space()
                waiting = account.uploads.filter(kind=PICTURE, use_count=0, was_used=False)
                if waiting.count() >= MAX_UNUSED:
                    raise OperationNotAllowedError(messages.TOO_MANY_UNUSED_IMAGES(most=MAX_UNUSED))
                upload.save(force_insert=True)
        except BaseException:
            images.delete_image(upload.pk)
            raise
        return upload

    @classmethod
    def create_file(cls, account: Account, name: str, media_type: str, content: bytes) -> Upload:
        """Store a file whose type has already been detected (`storage.files`).

        Raise OperationNotAllowedError if the account has no space left.
        """
        upload = cls(account=account, kind=FILE, name=name, media_type=media_type, size=len(content))
        store.put(upload.pk, content)  # first, as for images
        try:
            with write_transaction():
                upload._check_space()
                if account.uploads.filter(kind=FILE, use_count=0, was_used=False).count() >= MAX_UNUSED:
                    raise OperationNotAllowedError(messages.TOO_MANY_UNUSED_FILES(most=MAX_UNUSED))
                upload.save(force_insert=True)
        except BaseException:
            store.delete(upload.pk)
            raise
        return upload

    def _check_space(self) -> None:
        """Raise OperationNotAllowedError if images and files together would exceed the limit.

        It runs inside the transaction that saves the upload.
        """
        account = self.account.lock()  # so that two uploads cannot use the same space
        most, used = MAX_STORAGE_BYTES[account.is_paying], account.uploads.aggregate(sum=Sum("size"))["sum"] or 0
        if used + self.size > most:
            raise OperationNotAllowedError(messages.STORAGE_FULL(megabytes=most // 1024 // 1024))

    @classmethod
    def find_image(cls, account: Account, id: str) -> Upload | None:
        """Return the account's image with this ID, or None."""
        return account.uploads.filter(pk=id, kind=PICTURE).first()

    @classmethod
    def claim(cls, account: Account, id: str, path: str, kind: str = PICTURE) -> Upload:
        """Return the account's upload and count one more use.

        Raise InvalidInputError at the argument's path if there is no such upload of this kind.
        """
        return cls.claim_many(account, [(id, path)], kind)[id]

    @classmethod
    def claim_many(
        cls, account: Account, requests: Sequence[tuple[str, str]], kind: str = PICTURE
    ) -> dict[str, Upload]:
        """Return uploads by id, and count one use per occurrence of an id.

        `requests` are pairs of an id and the path of its argument. Run only a few queries. Raise InvalidInputError at
        each path without an upload.
        """
        if not requests:
            return {}
        ids = [id for id, _ in requests]
        cls._count_uses(account.uploads.filter(kind=kind), ids, 1)
        found = {upload.pk: upload for upload in account.uploads.filter(kind=kind, pk__in=ids)}
        if missing := [path for id, path in requests if id not in found]:
            message = messages.IMAGE_NOT_FOUND if kind == PICTURE else messages.FILE_NOT_FOUND
            raise InvalidInputError([Issue(path, message) for path in missing])
        return found

    def release(self) -> None:
        """Subtract one use. A scheduled task deletes unused uploads later."""
        self.release_many([self.pk])

    @classmethod
    def release_many(cls, ids: Sequence[str]) -> None:
        if ids:
            cls._count_uses(cls.objects.filter(use_count__gt=0), ids, -1)

    @classmethod
    def release_and_delete(cls, ids: Sequence[str]) -> None:
        """Subtract one use from each upload, and immediately delete those that are no longer used."""
        cls.release_many(ids)
        cls.delete_unused(ids)

    @classmethod
    def delete_unused(cls, ids: Collection[str]) -> None:
        """Delete those of the uploads that are unused, and delete their files after the commit."""
        unused = list(cls.objects.filter(pk__in=ids, use_count=0).values_list("pk", flat=True))
        cls.objects.filter(pk__in=unused).delete()
        for key in unused:
            transaction.on_commit(partial(images.delete_image, key))

    @staticmethod
    def _count_uses(uploads: models.QuerySet[Upload], ids: Sequence[str], by: int) -> None:
        """Change the number of uses, with one query per distinct difference."""
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
        """Return the image, scaled down to this width if it is wider. Raise FileNotFoundError if it is missing."""
        return images.load_image(self.pk, width)


def _expired_ids() -> list[str]:
    unused = Upload.objects.filter(use_count=0, last_used_at__lt=clock.now() - UNUSED_RETENTION)
    held = Change.ids_needed_for_undo(
        set(unused.filter(was_used=True).values_list("account_id", flat=True)), _ID_PATTERN
    )
    return [key for key in unused.values_list("pk", flat=True) if key not in held]


@row_task("accounts.delete_unused_uploads", _expired_ids)
def delete_expired(key: str) -> bool:
    """Delete an upload that has not been used for a day and is not needed for an undo."""
    with write_transaction():
        gone, _ = Upload.objects.filter(pk=key, use_count=0).delete()
    if gone:
        images.delete_image(key)
    return True


Upload.delete_expired = delete_expired
