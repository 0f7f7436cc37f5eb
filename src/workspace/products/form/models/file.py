"""Files that guests sent with a form. They are stored under random names, and only the form's owner can open them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from django.db import models, transaction
from django.db.models import Sum

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.products.form.models.form import Form
from workspace.products.form.models.response import Response
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import store

FILE_ID_PREFIX = "gfile"
MAX_BYTES = {False: 100 * 1024 * 1024, True: 1024 * 1024 * 1024}  # bytes per account, by whether it pays
WAITING_RETENTION = timedelta(days=1)  # for files without a response


def _file_id() -> str:
    return new_id(FILE_ID_PREFIX)


class StorageFullError(Exception):
    """The account has used up its storage for files."""


class GuestFileQuerySet(models.QuerySet["GuestFile"]):
    """Files that can be deleted together with their contents."""

    def delete_with_contents(self) -> None:
        """Delete the files. Their contents are deleted after the commit."""
        ids = list(self.values_list("pk", flat=True))
        GuestFile.objects.filter(pk__in=ids).delete()
        transaction.on_commit(partial(_delete_contents, ids))


class GuestFile(CompiledModel):
    """A guest's file. Until the form is submitted, it has no response."""

    id = models.CharField(primary_key=True, max_length=60, default=_file_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")  # the form's account
    form = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="files")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, null=True, blank=True, related_name="files")
    field = models.CharField(max_length=60)
    name = models.CharField(max_length=120)
    media_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=clock.now)

    objects = GuestFileQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["account", "size"], name="form_files_size"),
            models.Index(fields=["created_at"], name="form_files_waiting", condition=models.Q(response=None)),
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def store_file(cls, form: Form, field: str, name: str, media_type: str, content: bytes) -> GuestFile:
        """Store a file. Raise StorageFullError if the account has no space left.

        Call it outside of transactions, because disk access would make them longer.
        """
        file = cls(account=form.account, form=form, field=field, name=name, media_type=media_type, size=len(content))
        store.put(file.pk, content)  # first, so that a row never lacks its file
        try:
            with write_transaction():
                used = cls.objects.filter(account=form.account).aggregate(sum=Sum("size"))["sum"] or 0
                if used + file.size > MAX_BYTES[form.account.is_paying]:
                    raise StorageFullError
                file.save(force_insert=True)
        except BaseException:
            store.delete(file.pk)
            raise
        return file

    @classmethod
    def delete_waiting(cls) -> None:
        """Delete files whose form was never submitted. This is a scheduled task."""
        with write_transaction():
            cls.objects.filter(response=None, created_at__lt=clock.now() - WAITING_RETENTION).delete_with_contents()


def _delete_contents(ids: Iterable[str]) -> None:
    for id in ids:
        store.delete(id)
