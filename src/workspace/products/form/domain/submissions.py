"""Submitting a guest's answers. They are validated with the version that the guest saw, and saved only once.

    checked = check_answers(form, version, answers)  # valid answers, and errors by key, for the page
    sent = FormSubmission(version, answers, dedupe_key)
    prepared = prepare_response(form, sent)  # with its emails, which are rendered before the transaction
    with guest_transaction(form.publication_id):
        kept = submit_answers(form, sent, prepared=prepared)

`dedupe_key` is the same for a repeated submission. Suspected spam goes to a separate folder. It sends no emails or
webhooks and does not count towards the limit, until the owner marks it as not spam.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.accounts.models import Account
from workspace.delivery.notifications import OwnerEmail
from workspace.lib import clock
from workspace.lib.text import search_key
from workspace.products.form.domain.closing_notices import notify_full, prepare_full_email
from workspace.products.form.domain.emails import ResponseEmails, prepare_response_emails
from workspace.products.form.domain.response_data import ResponseData, build_response_data, list_response_data
from workspace.products.form.domain.spam import find_suspicion
from workspace.products.form.domain.webhook_events import emit_response_event
from workspace.products.form.models import INBOX, KIND, PARTIAL, SPAM, Form, FormVersion, GuestFile, Response
from workspace.products.form.models.response import hash_token
from workspace.products.form.rules import field_types
from workspace.products.form.rules.answer_validation import (
    INVALID,
    MAX_TOTAL_MB,
    NOT_AN_OPTION,
    REQUIRED,
    TOO_FEW,
    TOO_HEAVY,
    TOO_LARGE,
    TOO_LONG,
    TOO_MANY,
    TOO_SHORT,
    TOO_SMALL,
)
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.products.form.rules.evaluation import EvaluationResult, evaluate_form
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.storage.database.transactions import write_transaction

UNSENT_RETENTION = timedelta(days=30)
MAX_SEARCH_LENGTH = 4000
ERROR_MESSAGES = {
    REQUIRED: _("Answer this question"),
    INVALID: _("Check this answer"),
    NOT_AN_OPTION: _("Choose one of the options"),
    TOO_SMALL: _("This number is too small"),
    TOO_LARGE: _("This number is too large"),
    TOO_FEW: _("Choose more options"),
    TOO_MANY: _("Too many options"),
    TOO_SHORT: _("This answer is too short"),
    TOO_LONG: _("This answer is too long"),
    TOO_HEAVY: _("This number is too large"),
}
CLOSED_MESSAGES = {
    "paused": _("This form isn’t accepting responses right now."),
    "over": _("This form is closed."),
    "full": _("This form has reached its maximum number of responses. Thank you for your interest."),
}
DUPLICATE_EMAIL_MESSAGE = _(
    "This email address has already been used to submit a response. Use another one, or ask [business] to change your"
    " answers."
)


@dataclass(frozen=True, slots=True)
class FormSubmission:
    """A submission.

    `answers` are as typed, by key. `accepted_languages` are the languages of the guest's browser. `by_owner` means that
    the owner enters the answers for someone else.
    """

    version: int
    answers: Mapping[str, Any]
    dedupe_key: str
    language: str = ""
    accepted_languages: str = ""
    resume_token: str = ""  # the token of an unsent response that this one replaces
    by_owner: bool = False
    outcome: EvaluationResult | None = None  # the result for these answers, if they have just been evaluated


class AnswersInvalidError(Exception):
    """Answers are missing or invalid. `errors` are codes by key, in the order of the form."""

    def __init__(self, outcome: EvaluationResult) -> None:
        super().__init__("Answers are missing or invalid")
        self.outcome, self.errors = outcome, outcome.errors


class AlreadyAnsweredError(GuestActionDeclinedError):
    """The form allows only one response per email address. The error belongs to the field `key` on the page `page`."""

    def __init__(self, form: Form, page: str, key: str) -> None:
        super().__init__(gettext(DUPLICATE_EMAIL_MESSAGE).replace("[business]", form.account.name), 409)
        self.page, self.key = page, key


@dataclass(slots=True)
class CheckedAnswers:
    """Evaluated answers with their uploaded files."""

    definition: dict[str, Any]
    outcome: EvaluationResult
    files: list[GuestFile] = field(default_factory=list)


@dataclass(slots=True)
class PreparedResponse:
    """A response with its rendered emails.

    `replaced` is the ID of the unsent response that it replaces, and `full_email` is for the last response allowed.
    """

    response: Response
    definition: dict[str, Any]
    row: ResponseData
    emails: ResponseEmails
    replaced: str = ""
    full_email: OwnerEmail | None = None

    def deliver(self) -> None:
        """Notify the owner, send the receipt and emit the webhook, in the transaction that saves the response."""
        self.emails.queue()
        emit_response_event(self.response, self.row, self.definition)


def closed_message(reason: str) -> str:
    """Return the message for `paused`, `over` or `full`, or an empty string if the form accepts answers."""
    return gettext(CLOSED_MESSAGES[reason]) if reason else ""


def today_for(account: Account) -> str:
    return clock.today(account.time_zone).isoformat()


def check_answers(
    form: Form,
    version: int,
    answers: Mapping[str, Any],
    *,
    last_page: str = "",
    outcome: EvaluationResult | None = None,
) -> CheckedAnswers:
    """Evaluate answers, up to `last_page` if it is given.

    If `outcome` is given, it is used instead of a new evaluation. Raise GuestActionDeclinedError if the version does
    not exist.
    """
    form_version = FormVersion.objects.filter(form=form, number=version).first()
    if form_version is None:
        raise GuestActionDeclinedError(
            gettext("This form has changed since you opened it. Please fill it in again."), 409
        )
    outcome = outcome or evaluate_form(form_version.body, answers, today_for(form.account), last_page=last_page)
    checked = CheckedAnswers(form_version.body, outcome)
    _collect_files(form, checked)
    return checked


def _collect_files(form: Form, checked: CheckedAnswers) -> None:
    """Attach the files that were uploaded with this form for this field, and no others."""
    requested = {
        id: field["key"]
        for field in answerable_fields(checked.definition)
        if field["type"] == "file" and isinstance(ids := checked.outcome.values.get(field["key"]), list)
        for id in ids
    }
    if not requested:
        return
    result = {file.pk: file for file in GuestFile.objects.filter(form=form, pk__in=requested, response=None)}
    for id, key in requested.items():
        if id not in result or result[id].field != key:
            checked.outcome.errors[key] = INVALID
            continue
        checked.files.append(result[id])
        if sum(file.size for file in checked.files) > MAX_TOTAL_MB * 1024 * 1024:
            checked.outcome.errors[key] = TOO_HEAVY


def prepare_response(form: Form, submission: FormSubmission) -> PreparedResponse | None:
    """Build a guest's response and render its emails, before the transaction that saves it.

    Return None if the answers are invalid; `submit_answers` then reports the errors. Raise GuestActionDeclinedError if
    the version does not exist.
    """
    checked = check_answers(form, submission.version, submission.answers, outcome=submission.outcome)
    if checked.outcome.errors:
        return None
    unsent = find_unsent(form, submission.resume_token)
    prepared = _prepare_delivery(_build_response(form, submission, checked, unsent), checked)
    prepared.replaced, prepared.full_email = unsent.pk if unsent else "", prepare_full_email(form)
    return prepared


def _prepare_delivery(response: Response, checked: CheckedAnswers) -> PreparedResponse:
    row = build_response_data(response, answerable_fields(checked.definition), checked.files)
    return PreparedResponse(response, checked.definition, row, prepare_response_emails(response, row))


def _build_response(
    form: Form, submission: FormSubmission, checked: CheckedAnswers, unsent: Response | None
) -> Response:
    """Build a response with valid answers, or change an unsent one to it."""
    response = unsent or Response()
    response.form, response.account = form, form.account
    response.version, response.dedupe_key, response.page = submission.version, submission.dedupe_key, ""
    response.answers, response.email = checked.outcome.stored_answers, find_email(checked)
    response.folder, response.suspicion = INBOX, ""
    response.language, response.by_owner = submission.language, submission.by_owner
    response.created_at = clock.now()
    response.search = build_search_text(checked.definition, response.answers)
    return response


def submit_answers(
    form: Form, submission: FormSubmission, *, suspicion: str = "", prepared: PreparedResponse | None = None
) -> Response:
    """Save a response, in the caller's transaction.

    `prepared` is the result of `prepare_response` for this submission. Without it, emails are rendered here.

    The transaction locks the form's publication, so concurrent requests can exceed neither the limit nor the rule of
    one response per email address. Raise AnswersInvalidError, or GuestActionDeclinedError with a message for the guest.
    For a repeated submission, return the first response.
    """
    if (
        earlier := Response._base_manager.filter(form=form, dedupe_key=submission.dedupe_key)
        .exclude(folder=PARTIAL)
        .first()
    ):
        return earlier
    fresh = Form._base_manager.get(pk=form.pk)  # its current state, with the publication locked
    fresh.account, fresh.publication = form.account, form.publication
    if not submission.by_owner and (reason := fresh.closed_reason()):
        raise GuestActionDeclinedError(closed_message(reason), 409)
    checked = check_answers(form, submission.version, submission.answers, outcome=submission.outcome)
    if submission.by_owner:
        _drop_guest_only_errors(checked)
    if checked.outcome.errors:
        raise AnswersInvalidError(checked.outcome)
    answers = checked.outcome.stored_answers
    page, key, email = next(_iterate_emails(checked), ("", "", ""))
    inbox = Response.objects.filter(form=form, folder=INBOX)
    suspicion = suspicion or (
        "" if submission.by_owner else find_suspicion(inbox, checked.definition, answers, submission.accepted_languages)
    )
    counts = not suspicion and not submission.by_owner
    if counts and fresh.one_per_email and email and inbox.filter(email=email).exists():
        raise AlreadyAnsweredError(form, page, key)
    unsent = find_unsent(form, submission.resume_token)
    if prepared is not None and prepared.replaced != (unsent.pk if unsent else ""):
        prepared = None  # the unsent response was saved or deleted since then
    response = prepared.response if prepared else _build_response(form, submission, checked, unsent)
    response.folder, response.suspicion = SPAM if suspicion else INBOX, suspicion
    response.is_over_limit = not submission.by_owner and _is_over_limit(form.account)
    response.save(force_insert=unsent is None)
    GuestFile.objects.filter(pk__in=[file.pk for file in checked.files]).update(response=response)
    if counts:
        prepared = prepared or _prepare_delivery(response, checked)
        prepared.deliver()
        if reason := fresh.closed_reason():  # this was the last response allowed
            form.mark_changed()
            if reason == "full":
                notify_full(fresh, prepared.full_email)
    return response


def _drop_guest_only_errors(checked: CheckedAnswers) -> None:
    """Remove errors about missing answers that only the guest could give."""
    guest_only_keys = {
        field["key"] for field in answerable_fields(checked.definition) if field["type"] in field_types.GUEST_ONLY_TYPES
    }
    errors = checked.outcome.errors
    for key in [key for key, code in errors.items() if code == REQUIRED and key in guest_only_keys]:
        del errors[key]


def deliver_response(response: Response) -> None:
    """Notify the owner, send the receipt and emit the webhook for a response in the inbox."""
    version = FormVersion.objects.get(form=response.form_id, number=response.version)
    [row] = list_response_data([response])
    PreparedResponse(response, version.body, row, prepare_response_emails(response, row)).deliver()


def find_email(checked: CheckedAnswers) -> str:
    """Return the first email address in the answers, in lower case."""
    return next((value for _page, _key, value in _iterate_emails(checked)), "")


def _iterate_emails(checked: CheckedAnswers) -> Iterator[tuple[str, str, str]]:
    """Yield the page, key and value of each email address in the answers."""
    for page in checked.definition["pages"]:
        for form_field in page["fields"]:
            value = checked.outcome.values.get(form_field["key"])
            if form_field["type"] == "email" and isinstance(value, str):
                yield page["key"], form_field["key"], value.lower()


def build_search_text(definition: Mapping[str, Any], answers: Mapping[str, Any]) -> str:
    texts: list[str] = []
    for form_field in answerable_fields(definition):
        value = answers.get(form_field["key"])
        texts += [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]
    return search_key("\n".join(texts))[:MAX_SEARCH_LENGTH]


def _is_over_limit(account: Account) -> bool:
    """Return whether the plan's monthly limit is reached. If there is no limit, nothing is counted."""
    most = account.limits(KIND).monthly
    if most is None:
        return False
    counted = len(_responses_this_month(account).values_list("pk")[:most])
    return bool(counted >= most)


def _responses_this_month(account: Account) -> QuerySet[Response]:
    first = clock.now().astimezone(account.zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return Response._base_manager.filter(account=account, folder=INBOX, created_at__gte=first).order_by()


def compute_usage(account: Account) -> dict[str, int]:
    """Return the current usage, keyed by the name of the limit."""
    return {"monthly": _responses_this_month(account).count()}


def save_unsent(
    form: Form, version: int, answers: Mapping[str, Any], page: str, *, resume: str, language: str = "", email: str = ""
) -> None:
    """Save unsent answers, in the caller's transaction.

    They are stored under the hash of a token that only the guest's device has. `email` is used if no answer contains an
    email address.
    """
    checked = check_answers(form, version, answers, last_page=page)
    wrong = set(checked.outcome.errors)
    stored = {key: value for key, value in checked.outcome.stored_answers.items() if key not in wrong}
    fields: dict[str, Any] = {"version": version, "answers": stored, "page": page, "language": language}
    fields |= {
        "created_at": clock.now(),
        "search": build_search_text(checked.definition, stored),
        "email": find_email(checked) or email.lower(),
    }
    result = Response.objects.filter(form=form, folder=PARTIAL, dedupe_key=hash_token(resume))
    if not result.update(**fields):
        Response.objects.create(
            account=form.account, form=form, folder=PARTIAL, dedupe_key=hash_token(resume), **fields
        )


def find_unsent(form: Form, resume: str) -> Response | None:
    """Return the unsent response with this token, or None."""
    return Response.objects.filter(form=form, folder=PARTIAL, dedupe_key=hash_token(resume)).first() if resume else None


def delete_unsent() -> None:
    """Delete unsent responses after 30 days. This is a scheduled task."""
    with write_transaction():
        Response._base_manager.filter(folder=PARTIAL, created_at__lt=clock.now() - UNSENT_RETENTION).delete()
