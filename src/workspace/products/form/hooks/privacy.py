"""What forms hold of people, and how one of them is erased: what they answered and what they have begun goes whole,
with their files; where others name them, the rest stays without the address."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.accounts.privacy.account_data import holds
from workspace.accounts.privacy.data_subjects import Held, Trail
from workspace.accounts.privacy.text_mentions import Trace
from workspace.delivery import jobs
from workspace.products.form.domain import response_export
from workspace.products.form.models import Form, FormVersion, GuestFile, Response
from workspace.publishing.privacy import thing

_HOME = "/app/form"


def _forget(account: Account, found: Sequence[Response]) -> None:
    ids = [one.pk for one in found]
    GuestFile.forget(GuestFile.objects.filter(response__in=ids))
    Response._base_manager.filter(pk__in=ids).delete()
    change_log.forget(account, ids)
    for form in {one.form_id: one.form for one in found}.values():
        form.counted_anew()
    _forget_exports(account, found)


def _forget_exports(account: Account, found: Sequence[Response]) -> None:
    """Tables that were written before, in which nobody could find them: they are made again in a moment."""
    jobs.forget(account, response_export.JOB)


def _files(account: Account | None, trace: Trace) -> list[str]:
    mine = GuestFile.objects.filter(account=account).values_list("pk", "name")
    return [pk for pk, name in mine if trace.is_in([name, PurePath(name).stem]) or holds(pk, trace)]


def _forget_files(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    GuestFile.forget(GuestFile.objects.filter(account=account, pk__in=keys))


def _tell_files(keys: Sequence[str], trace: Trace) -> list[dict[str, Any]]:
    found = GuestFile.objects.filter(pk__in=keys).order_by("pk")
    return [{"id": one.pk, "name": one.name, "size": one.size, "at": one.created_at.isoformat()} for one in found]


PERSONAL: list[Held | Trail] = [
    Trail(noun="file sent with a form", models=[GuestFile], find=_files, erase=_forget_files, tell=_tell_files),
    Held(
        model=Response,
        noun="form response",
        rows=lambda account: Response._base_manager.filter(account=account).select_related("form__publication"),
        theirs=("email", "phones"),
        drop=_forget,
        settle=_forget_exports,
        page=lambda one: f"{_HOME}/{one.form_id}/responses",
    ),
    Held(
        model=FormVersion,
        noun="version of a form",
        rows=lambda account: FormVersion.objects.filter(form__account=account),
        page=lambda one: f"{_HOME}/{one.form_id}",
    ),
    thing(Form, "form", home=_HOME),
]
