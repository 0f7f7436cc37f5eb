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
from workspace.products.form import messages
from workspace.products.form.api.arguments import MAX_BATCH_SIZE, FormId, ResponseItem
from workspace.products.form.api.response_stats import FormStats, compute_stats, format_form_stats
from workspace.products.form.api.text import format_response
from workspace.products.form.api.tools import box
from workspace.products.form.domain import response_export
from workspace.products.form.domain.downloads import download_url, files_for
from workspace.products.form.domain.queries import Status, filter_responses, get_form
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

From = Annotated[Day, Field(description="First date to include.")]
To = Annotated[Day, Field(description="Last date to include.")]


@box.tool(
    "svc_form_responses",
    title="List form responses",
    about="List the responses (submissions) of a form, newest first, with every answer by key and as text. To "
    "search, or to see spam and unfinished responses, use svc_form_find_responses.",
    short="List responses of a form, newest first.",
    synonyms="submissions, entries, answers, who filled in, who signed up, registrations, antworten, "
    "einsendungen, wer hat ausgefüllt, anmeldungen, respuestas, envíos, quién se inscribió, quién "
    "rellenó, newest submissions, registrations of today, list of answers",
    reads=True,
    columns="reference submitted_at email id",
)
def list_responses(
    account: Account, id: FormId, limit: Limit = 50, offset: Offset = 0
) -> Answer[Listing[ResponseData]]:
    return _responses_answer(filter_responses(get_form(account, id), account, "inbox"), limit, offset)


@box.tool(
    "svc_form_find_responses",
    title="Search form responses",
    about="Search the responses (submissions) of a form by words, status and date, newest first. Statuses include "
    "inbox, spam and partial (started but not submitted).",
    short="Search responses of a form by words, status or date.",
    synonyms="find submission, spam folder, unread, unfinished, abandoned, drafts, not sent, partial, antworten "
    "suchen, spam, ungelesen, abgebrochen, buscar respuestas, sin leer, no deseado, incompletas",
    reads=True,
    columns="reference submitted_at email id",
)
def find_responses(
    account: Account,
    id: FormId,
    q: Annotated[Query, Field(description="Words in the answers.")] = "",
    status: Annotated[
        Status,
        Field(
            description=(
                "Only responses with this status. inbox means new and read; partial means not submitted. Defaults to "
                "inbox."
            )
        ),
    ] = "inbox",
    from_: From | None = None,
    to: To | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[ResponseData]]:
    responses = filter_responses(get_form(account, id), account, status, from_, to)
    for word in search_key(q).split()[:8]:
        responses = responses.filter(search__contains=word)
    return _responses_answer(responses, limit, offset)


def _responses_answer(responses: QuerySet[Response], limit: int, offset: int) -> Answer[Listing[ResponseData]]:
    rows = list_response_data(responses[offset : offset + limit])
    return listing_answer(rows, total=responses.count(), offset=offset, noun="responses", line=format_response)


class SavedResponses(TypedDict):
    """The result of saving responses.

    `items` are the marked responses in their current state. `added` are the ids of new ones.
    """

    id: str
    items: list[ResponseData]
    added: list[str]


@box.tool(
    "svc_form_save_responses",
    title="Mark or add form responses",
    about="Mark responses as read, unread, spam or not spam (ham), and add responses that you took by phone. Marking a "
    "response as ham sends the usual notifications. Added answers are validated like those of visitors. Errors name "
    "the entry.",
    short="Mark responses as read, spam or not spam, or add responses.",
    synonyms="not spam, mark submission, mark as read, junk, false positive, phone response, enter manually, kein "
    "spam, als gelesen markieren, telefonisch eintragen, no es spam, marcar como leído, registrar respuesta",
    sends=True,
)
def save_responses(
    account: Account,
    id: FormId,
    items: Annotated[
        list[ResponseItem],
        Field(
            min_length=1,
            max_length=MAX_BATCH_SIZE,
            description="Responses to mark, {response_id, mark}, or to add, {answers}.",
        ),
    ],
) -> Answer[SavedResponses]:
    form = get_form(account, id)
    _check_items(items)
    ids = [item["response_id"] for item in items if "response_id" in item]
    paths = [f"items.{place}.response_id" for place, item in enumerate(items) if "response_id" in item]
    mine = Response.objects.filter(form=form).select_related("form__account", "form__publication")
    responses_by_id = {item.pk: item for item in get_many_or_404(ids, messages.RESPONSE_NOT_FOUND, mine, paths=paths)}
    journal.set_item(KIND, form.pk)
    changes, hams = [], []
    for place, item in enumerate(items):
        if "response_id" not in item:
            continue
        entry = responses_by_id[item["response_id"]]
        mark = item.get("mark", "read")
        if entry.folder == PARTIAL:
            raise InvalidInputError.at_path(f"items.{place}.mark", messages.NOT_SUBMITTED)
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
    head = f"Saved {format_count(len(everything), 'response')} to the form “{escape_markdown(form.title)}” `{form.pk}`"
    head += f". Added: {', '.join(f'`{key}`' for key in data['added'])}" if added else ""
    return Answer(data, "\n".join([f"{head}:", "", *format_bullets(data["items"], format_response)]))


def _check_items(items: list[ResponseItem]) -> None:
    """Raise InvalidInputError for items with conflicting or missing fields."""
    issues = []
    for place, item in enumerate(items):
        if "response_id" in item and "answers" in item:
            issues.append(Issue(f"items.{place}.answers", messages.ANSWERS_ARE_FIXED))
        elif "response_id" in item and "mark" not in item:
            issues.append(Issue(f"items.{place}.mark", messages.MARK_NEEDED))
        elif "response_id" not in item and "answers" not in item:
            issues.append(Issue(f"items.{place}.answers", messages.ANSWERS_NEEDED))
        elif "answers" in item and "mark" in item:
            issues.append(Issue(f"items.{place}.mark", messages.MARK_NOT_ALLOWED))
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


@box.tool(
    "svc_form_stats",
    title="Get form analytics",
    about="Get how many people viewed, started and submitted a form by day, and where they dropped out. Also get "
    "results by question: counts and shares of choices, mean and median of numbers, and NPS of scales. Results "
    "cover the newest 1,000 responses.",
    short="Get views, completion rate, drop-off and results by question.",
    synonyms="analytics, statistics, survey results, conversion, completion rate, drop off, nps, average, chart of "
    "answers, ergebnisse der umfrage, auswertung, abbruchquote, resultados de la encuesta, estadísticas, tasa de "
    "abandono",
    reads=True,
)
def stats(account: Account, id: FormId, days: Days | None = None) -> Answer[FormStats]:
    form = get_form(account, id)
    stats = compute_stats(form, account, limit_days(days, account.limits(KIND).history_days))
    return Answer(stats, lambda: format_form_stats(stats))


class ExportResult(TypedDict):
    """The result of an export.

    For responses, `job_id` is for svc_jobs_get, which returns the progress and the file. For files, `file_url` is for
    signed-in members and API keys, and `size` is in bytes. `rows` is the number of responses or files.
    """

    rows: int
    format: str
    job_id: NotRequired[str]
    file_url: NotRequired[str]
    size: NotRequired[int]


@box.tool(
    "svc_form_export",
    title="Export form responses",
    about="Export the responses of a form as CSV or XLSX, oldest first. Runs as a job: svc_jobs_get shows progress "
    "and the link. Numbers and dates keep their types, and text is never treated as a formula. Uploaded files are "
    "exported as a ZIP with one folder per response.",
    short="Export responses of a form as CSV or XLSX.",
    synonyms="download submissions, spreadsheet, excel, all entries, uploaded files, antworten exportieren, "
    "tabelle, exportar respuestas, descargar envíos, hoja de cálculo",
)
def export(
    account: Account,
    id: FormId,
    kind: Annotated[
        Literal["responses", "files"],
        Field(description="Data to export: responses, or files (all uploads as a ZIP). Defaults to responses."),
    ] = "responses",
    format: Annotated[
        Literal["csv", "xlsx"],
        Field(description="File format. A CSV has one column for each question in any version. Defaults to csv."),
    ] = "csv",
    status: Annotated[
        Status, Field(description="Only responses with this status. inbox means new and read. Defaults to inbox.")
    ] = "inbox",
    from_: From | None = None,
    to: To | None = None,
) -> Answer[ExportResult]:
    form = get_form(account, id)
    responses = filter_responses(form, account, status, from_, to)
    if kind == "files":
        days = {"from": from_.isoformat() if from_ else None, "to": to.isoformat() if to else None}
        return _files_answer(form, files_for(form, responses), download_url(form, status=status, **days))
    rows = responses.count()
    job = jobs.start(account, response_export.JOB_KIND, response_export.build_items(form, responses, format))
    data: ExportResult = {"rows": rows, "format": format, "job_id": job.pk}
    text = (
        f"Exporting {format_count(rows, 'response')} as {format}. Use svc_jobs_get with job_id `{job.pk}` to get the "
        "progress and the file."
    )
    return Answer(data, text)


def _files_answer(form: Form, files: QuerySet[GuestFile], url: str) -> Answer[ExportResult]:
    rows, size = files.count(), files.aggregate(sum=Sum("size"))["sum"] or 0
    data: ExportResult = {"rows": rows, "format": "zip", "file_url": url, "size": size}
    text = (
        f"ZIP with {format_count(rows, 'file')} uploaded by visitors ({size} bytes). Open it signed in or with "
        "the API key"
    )
    return Answer(data, f"{text}: {url}")
