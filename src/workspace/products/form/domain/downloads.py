"""Files that guests sent, for who is signed in to the account or sends its key: one of them, or all of a form's as one
ZIP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import get_args
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.products.form.domain.queries import Status, forms_of, responses_in
from workspace.products.form.models import Form, GuestFile, Response
from workspace.publishing.zip_stream import Entry, name_among, packed
from workspace.storage.files import store
from workspace.tools.answer import Pieces

BATCH = 200


def found_at(account: Account, id: str, asked: Mapping[str, str]) -> Pieces | None:
    """What `/files/ID` holds: a guest's file, or those of a form's responses by `status`, `from` and `to`. Raises
    FileNotFoundError, InvalidInput."""
    if one := GuestFile.objects.filter(account=account, pk=id).first():
        return Pieces(one.name, "application/octet-stream", store.reading(one.pk), one.size)
    form = forms_of(account).filter(pk=id).first()
    if form is None:
        return None
    form.account = account
    status = asked.get("status") or "inbox"
    if status not in get_args(Status):
        raise InvalidInput.at("status", f"One of {', '.join(get_args(Status))}")
    found = sent_with(form, responses_in(form, account, status, _day(asked, "from"), _day(asked, "to")))
    return Pieces(f"files-{form.slug}.zip", "application/zip", packed(_entries(found, account)))


def _day(asked: Mapping[str, str], name: str) -> date | None:
    try:
        return date.fromisoformat(asked[name]) if asked.get(name) else None
    except ValueError:
        raise InvalidInput.at(name, "Write the day as 2026-12-24") from None


def url_of(form: Form, **asked: str | None) -> str:
    given = {name: text for name, text in asked.items() if text}
    return f"{settings.BASE_URL}/files/{form.pk}{'?' if given else ''}{urlencode(given)}"


def sent_with(form: Form, responses: QuerySet[Response]) -> QuerySet[GuestFile]:
    return GuestFile.objects.filter(form=form, response__in=responses.order_by().values("pk"))


def _entries(found: QuerySet[GuestFile], account: Account) -> Iterator[Entry]:
    """With a folder for each response, called by its number."""
    names: set[str] = set()
    folder = ""
    for one in _in_turn(found):
        response = one.response
        assert response is not None
        if folder != response.reference:
            folder, names = response.reference, set()
        at = one.created_at.astimezone(account.zone)
        yield Entry(f"{folder}/{name_among(one.name, names)}", one.pk, at)


def _in_turn(found: QuerySet[GuestFile]) -> Iterator[GuestFile]:
    """By their responses, some at a time: no cursor stays open while somebody takes a large file slowly."""
    beyond = Q()
    while some := list(found.filter(beyond).select_related("response").order_by("response_id", "pk")[:BATCH]):
        yield from some
        last = some[-1]
        beyond = Q(response_id__gt=last.response_id) | Q(response_id=last.response_id, pk__gt=last.pk)
