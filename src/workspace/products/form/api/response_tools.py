"""Tools for responses: list, search, mark, add, statistics, and exports."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal, NotRequired

from django.db.models import QuerySet, Sum
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.text import escape_markdown, format_count, search_key
from workspace.products.form.api.arguments import MAX_BATCH_SIZE, FormId, ResponseItem
from workspace.products.form.api.response_stats import FormStats, compute_stats, format_form_stats
from workspace.products.form.api.text import format_response
from workspace.products.form.api.tools import box
from workspace.products.form.domain import response_export
from workspace.products.form.domain.downloads import download_url, files_for
from workspace.products.form.domain.queries import NO_RESPONSE, Status, filter_responses, get_form
from workspace.products.form.domain.response_data import ResponseData, list_response_data
from workspace.products.form.domain.submissions import (
    ERROR_MESSAGES,
    AnswersInvalidError,
    FormSubmission,
    deliver_response,
    submit_answers,
)
from workspace.products.form.models import INBOX, KIND, PARTIAL, SPAM, Form, GuestFile, Response
from workspace.publishing.serializers import get_many_or_404
from workspace.publishing.shared_item_arguments import Days, limit_days
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Day, Limit, Offset, Query

From = Annotated[Day, Field(description="That came on this day or later")]
To = Annotated[Day, Field(description="That came on this day or earlier")]


@box.tool("svc_form_responses", title="List responses of a form", reads=True, columns="reference submitted_at email id")
def list_responses(
    account: Account, id: FormId, limit: Limit = 50, offset: Offset = 0
) -> Answer[Listing[ResponseData]]:
    """Responses of a form, newest first, with every answer by key and in words. svc_form_find_responses searches, and
    shows what looks like spam or was begun and not sent."""
    return _responses_answer(filter_responses(get_form(account, id), account, "inbox"), limit, offset)


@box.tool(
    "svc_form_find_responses",
    title="Search responses of a form",
    reads=True,
    columns="reference submitted_at email id",
)
def find_responses(
    account: Account,
    id: FormId,
    q: Annotated[Query, Field(description="Words of the answers")] = "",
    status: Annotated[Status, Field(description="inbox is new and read; partial was begun and not sent")] = "inbox",
    from_: From | None = None,
    to: To | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[ResponseData]]:
    """Responses by words, status and day, newest first: the inbox, the spam folder, and what was begun."""
    responses = filter_responses(get_form(account, id), account, status, from_, to)
    for word in search_key(q).split()[:8]:
        responses = responses.filter(search__contains=word)
    return _responses_answer(responses, limit, offset)


def _responses_answer(responses: QuerySet[Response], limit: int, offset: int) -> Answer[Listing[ResponseData]]:
    rows = list_response_data(responses[offset : offset + limit])
    return listing_answer(rows, total=responses.count(), offset=offset, noun="responses", line=format_response)


class SavedResponses(TypedDict):
    """`items` as they are now; `added` are ids."""

    id: str
    items: list[ResponseData]
    added: list[str]


@box.tool("svc_form_save_responses", title="Mark responses, or add some", sends=True)
def save_responses(
    account: Account,
    id: FormId,
    items: Annotated[
        list[ResponseItem],
        Field(min_length=1, max_length=MAX_BATCH_SIZE, description="{response_id, mark}, or {answers} to add one"),
    ],
) -> Answer[SavedResponses]:
    """Mark responses as read, unread, spam or ham (which is no spam, and is told as new ones are), and write down what
    people answered by telephone: judged as a guest's answers are, with what is wrong at its place."""
    form = get_form(account, id)
    _check_items(items)
    ids = [item["response_id"] for item in items if "response_id" in item]
    paths = [f"items.{place}.response_id" for place, item in enumerate(items) if "response_id" in item]
    mine = Response.objects.filter(form=form).select_related("form__account", "form__publication")
    responses_by_id = {item.pk: item for item in get_many_or_404(ids, NO_RESPONSE, mine, paths=paths)}
    journal.set_item(KIND, form.pk)
    changes, hams = [], []
    for place, item in enumerate(items):
        if "response_id" not in item:
            continue
        entry = responses_by_id[item["response_id"]]
        mark = item.get("mark", "read")
        if entry.folder == PARTIAL:
            raise InvalidInputError.at_path(f"items.{place}.mark", "It was not sent yet: nothing is marked on it")
        if mark in ("read", "unread"):
            changes.append((entry, {"read_at": (entry.read_at or clock.now()) if mark == "read" else None}))
        else:
            if mark == "ham" and entry.folder == SPAM:
                hams.append(entry)
            folder = SPAM if mark == "spam" else INBOX
            changes.append((entry, {"folder": folder, "suspicion": entry.suspicion if folder == SPAM else ""}))
    journal.update_rows(changes)
    for entry in hams:
        deliver_response(entry)
    added = _add_responses(form, items)
    form.mark_count_changed()
    everything = [*responses_by_id.values(), *added]
    data: SavedResponses = {
        "id": form.pk,
        "items": list_response_data(everything),
        "added": [response.pk for response in added],
    }
    head = f"Saved {format_count(len(everything), 'response')} of “{escape_markdown(form.title)}” `{form.pk}`"
    head += f", of them added: {', '.join(f'`{key}`' for key in data['added'])}" if added else ""
    return Answer(data, "\n".join([f"{head}:", "", *format_bullets(data["items"], format_response)]))


def _check_items(items: list[ResponseItem]) -> None:
    """Raise InvalidInputError for items with conflicting or missing fields."""
    issues = []
    for place, item in enumerate(items):
        if "response_id" in item and "answers" in item:
            text = "What a guest answered is not changed: leave answers out, or response_id to add one"
            issues.append(Issue(f"items.{place}.answers", text))
        elif "response_id" in item and "mark" not in item:
            issues.append(Issue(f"items.{place}.mark", "Required"))
        elif "response_id" not in item and "answers" not in item:
            issues.append(Issue(f"items.{place}.answers", "Required, or a response_id to mark"))
        elif "answers" in item and "mark" in item:
            issues.append(Issue(f"items.{place}.mark", "One that you add counts as read: leave this out"))
    if issues:
        raise InvalidInputError(issues)


def _add_responses(form: Form, items: list[ResponseItem]) -> list[Response]:
    issues: list[Issue] = []
    added = []
    for place, item in enumerate(items):
        if "answers" not in item:
            continue
        sent = FormSubmission(form.version, item["answers"], dedupe_key=secrets.token_hex(16), by_owner=True)
        try:
            response = submit_answers(form, sent)
        except AnswersInvalidError as wrong:
            issues += [
                Issue(f"items.{place}.answers.{key}", ERROR_MESSAGES[code]) for key, code in wrong.errors.items()
            ]
            continue
        response.read_at = clock.now()
        response.save(update_fields=["read_at"])
        journal.record_new_rows(response)
        added.append(response)
    if issues:
        raise InvalidInputError(issues)
    return added


@box.tool("svc_form_stats", title="Figures of a form", reads=True)
def stats(account: Account, id: FormId, days: Days | None = None) -> Answer[FormStats]:
    """How many saw, began and sent it, in all and by day, where people stop, and what they answered to each question:
    choices with counts and shares of those who were asked, numbers with mean and median, scales with NPS. The answers
    are those of the newest 1,000 responses."""
    form = get_form(account, id)
    stats = compute_stats(form, account, limit_days(days, account.limits(KIND).history_days))
    return Answer(stats, lambda: format_form_stats(stats))


class ExportResult(TypedDict):
    """Of responses `job_id`, with which svc_jobs_get tells how far the file is and where; of files `file_url`, for who
    is signed in to the account or sends its key, and `size` in bytes. `rows` are responses, or files."""

    rows: int
    format: str
    job_id: NotRequired[str]
    file_url: NotRequired[str]
    size: NotRequired[int]


@box.tool("svc_form_export", title="Export responses of a form")
def export(
    account: Account,
    id: FormId,
    kind: Annotated[
        Literal["responses", "files"], Field(description="files: what guests sent, as one ZIP")
    ] = "responses",
    format: Annotated[
        Literal["csv", "xlsx"], Field(description="A column a question, also those of older versions")
    ] = "csv",
    status: Annotated[Status, Field(description="inbox is new and read")] = "inbox",
    from_: From | None = None,
    to: To | None = None,
) -> Answer[ExportResult]:
    """Begin to write responses into a file, CSV or XLSX, oldest first, however many there are: svc_jobs_get tells when
    it is there, and where. Numbers and days keep their kind; no text is run as a formula. Files that guests sent come
    as one ZIP, a folder for each response, at the address in the answer."""
    form = get_form(account, id)
    responses = filter_responses(form, account, status, from_, to)
    if kind == "files":
        days = {"from": from_.isoformat() if from_ else None, "to": to.isoformat() if to else None}
        return _files_answer(form, files_for(form, responses), download_url(form, status=status, **days))
    rows = responses.count()
    job = jobs.start(account, response_export.JOB_KIND, response_export.build_items(form, responses, format))
    data: ExportResult = {"rows": rows, "format": format, "job_id": job.pk}
    text = (
        f"{format_count(rows, 'response')} are being written as {format}: svc_jobs_get with job_id "
        f"`{job.pk}` has the file."
    )
    return Answer(data, text)


def _files_answer(form: Form, files: QuerySet[GuestFile], url: str) -> Answer[ExportResult]:
    rows, size = files.count(), files.aggregate(sum=Sum("size"))["sum"] or 0
    data: ExportResult = {"rows": rows, "format": "zip", "file_url": url, "size": size}
    text = (
        f"{format_count(rows, 'file')} that guests sent ({size} bytes) as one ZIP, for who is signed "
        "in or sends the key"
    )
    return Answer(data, f"{text}: {url}")
