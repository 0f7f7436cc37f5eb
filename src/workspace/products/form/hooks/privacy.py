"""Personal data in forms, and its erasure.

A person's responses, sent and unsent, are deleted with their files. In other responses, the email address is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.accounts.privacy.account_data import has_mention
from workspace.accounts.privacy.data_subjects import PersonalTable, PersonalText
from workspace.accounts.privacy.text_mentions import MentionMatcher
from workspace.delivery import jobs
from workspace.products.form.domain import response_export
from workspace.products.form.models import Form, FormVersion, GuestFile, Response
from workspace.publishing.privacy import item_table

_HOME = "/app/form"


def _erase(account: Account, responses: Sequence[Response]) -> None:
    ids = [response.pk for response in responses]
    GuestFile.objects.filter(response__in=ids).delete_with_contents()
    Response._base_manager.filter(pk__in=ids).delete()
    change_log.erase_from_changes(account, ids)
    for form in {response.form_id: response.form for response in responses}.values():
        form.mark_count_changed()
    _erase_exports(account, responses)


def _erase_exports(account: Account, responses: Sequence[Response]) -> None:
    """Delete exported tables, because a person cannot be found in them. They can be exported again."""
    jobs.delete_jobs(account, response_export.JOB_KIND)


def _find_files(account: Account | None, matcher: MentionMatcher) -> list[str]:
    mine = GuestFile.objects.filter(account=account).values_list("pk", "name")
    return [pk for pk, name in mine if matcher.matches([name, PurePath(name).stem]) or has_mention(pk, matcher)]


def _erase_files(account: Account | None, keys: Sequence[str], matcher: MentionMatcher) -> None:
    GuestFile.objects.filter(account=account, pk__in=keys).delete_with_contents()


def _export_files(keys: Sequence[str], matcher: MentionMatcher) -> list[dict[str, Any]]:
    files = GuestFile.objects.filter(pk__in=keys).order_by("pk")
    return [{"id": file.pk, "name": file.name, "size": file.size, "at": file.created_at.isoformat()} for file in files]


PERSONAL_DATA: list[PersonalTable | PersonalText] = [
    PersonalText(
        noun="file sent with a form", models=[GuestFile], find=_find_files, erase=_erase_files, export=_export_files
    ),
    PersonalTable(
        model=Response,
        noun="form response",
        rows=lambda account: Response._base_manager.filter(account=account).select_related("form__publication"),
        identity_columns=("email", "phones"),
        delete_rows=_erase,
        after_erase=_erase_exports,
        page_url=lambda item: f"{_HOME}/{item.form_id}/responses",
    ),
    PersonalTable(
        model=FormVersion,
        noun="version of a form",
        rows=lambda account: FormVersion.objects.filter(form__account=account),
        page_url=lambda item: f"{_HOME}/{item.form_id}",
    ),
    item_table(Form, "form", dashboard_path=_HOME),
]
