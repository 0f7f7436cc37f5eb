"""Downloads of files that guests sent: a single file, or all files of a form as a ZIP.

They are for members who are signed in, and for API keys of the account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import get_args
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.products.form import messages
from workspace.products.form.domain.queries import Status, filter_responses, forms_for
from workspace.products.form.models import Form, GuestFile, Response
from workspace.publishing.zip_stream import ZipMember, stream_zip, unique_name
from workspace.storage.files import store
from workspace.tools.answer import StreamedFile

BATCH_SIZE = 200


def find_download(account: Account, id: str, query: Mapping[str, str]) -> StreamedFile | None:
    """Return the file at `/files/ID`: a file from a guest, or a ZIP with the files of a form.

    The ZIP is filtered by `status`, `from` and `to`. Raise FileNotFoundError if there is no file, or InvalidInputError
    for an invalid filter.
    """
    if file := GuestFile.objects.filter(account=account, pk=id).first():
        return StreamedFile(file.name, "application/octet-stream", store.read_chunks(file.pk), file.size)
    form = forms_for(account).filter(pk=id).first()
    if form is None:
        return None
    form.account = account
    status = query.get("status") or "inbox"
    if status not in get_args(Status):
        raise InvalidInputError.at_path("status", messages.NOT_ONE_OF(values=", ".join(get_args(Status))))
    files = files_for(form, filter_responses(form, account, status, _parse_day(query, "from"), _parse_day(query, "to")))
    return StreamedFile(f"files-{form.slug}.zip", "application/zip", stream_zip(_zip_entries(files, account)))


def _parse_day(query: Mapping[str, str], name: str) -> date | None:
    try:
        return date.fromisoformat(query[name]) if query.get(name) else None
    except ValueError:
        raise InvalidInputError.at_path(name, messages.DATE_EXPECTED) from None


def download_url(form: Form, **query: str | None) -> str:
    fields = {name: text for name, text in query.items() if text}
    return f"{settings.BASE_URL}/files/{form.pk}{'?' if fields else ''}{urlencode(fields)}"


def files_for(form: Form, responses: QuerySet[Response]) -> QuerySet[GuestFile]:
    return GuestFile.objects.filter(form=form, response__in=responses.order_by().values("pk"))


def _zip_entries(files: QuerySet[GuestFile], account: Account) -> Iterator[ZipMember]:
    """Yield the files, with a folder for each response that is named by its reference."""
    names: set[str] = set()
    folder = ""
    for file in _iterate_by_response(files):
        response = file.response
        assert response is not None
        if folder != response.reference:
            folder, names = response.reference, set()
        at = file.created_at.astimezone(account.zone)
        yield ZipMember(f"{folder}/{unique_name(file.name, names)}", file.pk, at)


def _iterate_by_response(files: QuerySet[GuestFile]) -> Iterator[GuestFile]:
    """Yield files by response, in batches, so that no cursor stays open during a slow download."""
    beyond = Q()
    while some := list(files.filter(beyond).select_related("response").order_by("response_id", "pk")[:BATCH_SIZE]):
        yield from some
        last = some[-1]
        beyond = Q(response_id__gt=last.response_id) | Q(response_id=last.response_id, pk__gt=last.pk)
