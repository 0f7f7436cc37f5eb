"""Forms and responses as data, the same in every answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Literal

from django.conf import settings
from django.db.models import Count, Max, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.products.form.models import INBOX, KIND, PARTIAL, SPAM, Form, FormVersion, GuestFile, Response
from workspace.products.form.ways import ways_of
from workspace.products.form.written import as_written, asked, said
from workspace.publishing.arrivals import Left
from workspace.publishing.framing import RefusedWebsite, Snippets, refused_lately, snippets
from workspace.publishing.rows import PublishedRow, one, published_row, shown
from workspace.toolkit import clock

Status = Literal["inbox", "new", "read", "spam", "partial"]
MISSING = "There is no such form: svc_forms_list shows yours with their ids"
FRAME_HEIGHT = 700  # of one that cannot tell its website how high it is: it scrolls
NO_RESPONSE = "There is no such response: svc_form_responses shows them with their ids"


class FormRow(PublishedRow):
    """`accepting` is the owner's switch; `closed` says why it takes nothing now: paused, over or full, or nothing."""

    title: str
    accepting: bool
    closed: str
    responses: int
    unread: int
    spam: int
    partial: int
    last_response_at: str | None
    closes_at: str | None
    max_responses: int | None
    version: int


class ThankYouRow(TypedDict):
    text: str
    redirect_url: str


class VersionRow(TypedDict):
    number: int
    made_at: str | None
    fields: int


class FormWhole(FormRow, Snippets):
    """`script` and `iframe` are HTML for the websites among `hosts`; `refused` are those that tried in the last 30 days
    and may not; `never` are keys of pages and fields that nobody can come to."""

    pages: list[dict[str, Any]]
    one_per_email: bool
    one_at_a_time: bool
    thank_you: ThankYouRow
    notify: list[str]
    receipt: bool
    language: str
    colour: str
    webhook_url: str
    hosts: list[str]
    refused: list[RefusedWebsite]
    never: list[str]
    versions: list[VersionRow]


class Labelled(TypedDict):
    key: str
    label: str
    text: str


class FileRow(TypedDict):
    id: str
    name: str
    size: int
    url: str


class ResponseRow(TypedDict):
    """`answers` by key, and `labelled` as people read them."""

    id: str
    form_id: str
    reference: str
    submitted_at: str | None
    status: str
    suspicion: str
    version: int
    email: str
    by_owner: bool
    answers: dict[str, Any]
    labelled: list[Labelled]
    files: list[FileRow]


def forms_of(account: Account) -> QuerySet[Form]:
    return shown(account.forms.all()).select_related("publication", "account")


def form_of(account: Account, id: str) -> Form:
    """Raises NotFound."""
    found = one(forms_of(account), id, MISSING)
    found.account = account
    return found


def responses_of(account: Account) -> QuerySet[Response]:
    """Those in the inbox, of forms that are there; on a plan that shows so many a month no others."""
    binned = Form._base_manager.filter(account=account, binned_at__isnull=False)
    found: QuerySet[Response] = Response.objects.filter(account=account, folder=INBOX)
    return within_plan(found.exclude(form__in=binned.values("pk")), account).select_related("form")


def within_plan(found: QuerySet[Response], account: Account) -> QuerySet[Response]:
    return found if account.limits(KIND).monthly is None else found.filter(over=False)


def responses_in(
    form: Form, account: Account, status: str, first: date | None = None, last: date | None = None
) -> QuerySet[Response]:
    """Those of one `Status`, that came from the first day to the last, in the account's time zone."""
    folder = status if status in (SPAM, PARTIAL) else INBOX
    found = within_plan(Response.objects.filter(form=form, folder=folder), account)
    if status in ("new", "read"):
        found = found.filter(read_at__isnull=status == "new")
    if first is not None:
        found = found.filter(created_at__gte=datetime.combine(first, time.min, account.zone))
    if last is not None:
        found = found.filter(created_at__lt=datetime.combine(last + timedelta(days=1), time.min, account.zone))
    return found


def form_rows(forms: Sequence[Form], account: Account) -> list[FormRow]:
    """A fixed number of queries, however many forms."""
    keys = [form.pk for form in forms]
    found = within_plan(Response.objects.filter(form__in=keys), account).order_by()
    counts: dict[str, Counter[str]] = {key: Counter() for key in keys}
    for key, folder, count in found.values_list("form", "folder").annotate(count=Count("pk")):
        counts[key][folder] = count
    for key, count in found.filter(folder=INBOX, read_at=None).values_list("form").annotate(count=Count("pk")):
        counts[key]["unread"] = count
    newest = dict(found.filter(folder=INBOX).values_list("form").annotate(Max("created_at")))
    return [_form_row(form, counts[form.pk], newest.get(form.pk)) for form in forms]


def _form_row(form: Form, counts: Counter[str], newest: Any) -> FormRow:
    return {
        **published_row(form),
        "title": form.title,
        "accepting": form.accepting,
        "closed": form.closed(counts[INBOX]),
        "responses": counts[INBOX],
        "unread": counts["unread"],
        "spam": counts[SPAM],
        "partial": counts[PARTIAL],
        "last_response_at": clock.iso(newest),
        "closes_at": clock.iso(form.closes_at),
        "max_responses": form.max_responses,
        "version": form.version,
    }


def whole(form: Form, number: int | None = None) -> FormWhole:
    definition = form.definition_of(number or form.version)
    return {
        **form_rows([form], form.account)[0],
        **snippets(form, form.title, FRAME_HEIGHT),
        "pages": as_written(definition),
        "one_per_email": form.one_per_email,
        "one_at_a_time": form.one_at_a_time,
        "thank_you": {"text": form.thank_you, "redirect_url": form.redirect_url},
        "notify": form.notify,
        "receipt": form.receipt,
        "language": form.language,
        "colour": form.colour,
        "webhook_url": webhooks.url_of(form.account, form.pk),
        "hosts": form.hosts,
        "refused": refused_lately(form),
        "never": ways_of(definition).never,
        "versions": [
            {"number": one.number, "made_at": clock.iso(one.made_at), "fields": len(asked(one.body))}
            for one in form.versions.order_by("-number")[:20]
        ],
    }


def response_rows(responses: Iterable[Response]) -> list[ResponseRow]:
    """By a few queries; the words are those of the version that each answered."""
    found = list(responses)
    wanted = {(one.form_id, one.version) for one in found}
    versions = FormVersion.objects.filter(
        form__in={form for form, _ in wanted}, number__in={number for _, number in wanted}
    )
    fields = {(one.form_id, one.number): asked(one.body) for one in versions}
    files: dict[str, list[FileRow]] = {}
    for file in GuestFile.objects.filter(response__in=[response.pk for response in found]).order_by("pk"):
        url = f"{settings.BASE_URL}/files/{file.pk}"
        files.setdefault(str(file.response_id), []).append(
            {"id": file.pk, "name": file.name, "size": file.size, "url": url}
        )
    return [_response_row(one, fields.get((one.form_id, one.version), []), files.get(one.pk, [])) for one in found]


def _response_row(one: Response, fields: list[dict[str, Any]], files: list[FileRow]) -> ResponseRow:
    names = {file["id"]: {"name": file["name"]} for file in files}
    labelled: list[Labelled] = []
    for field in fields:
        value = one.answers.get(field["key"])
        if value is None:
            continue
        if field["type"] == "file":
            value = [names.get(id, {"name": id}) for id in value]
        labelled.append({"key": field["key"], "label": field["label"], "text": said(field, value)})
    return {
        "id": one.pk,
        "form_id": one.form_id,
        "reference": one.reference,
        "submitted_at": clock.iso(one.created_at),
        "status": one.status,
        "suspicion": one.suspicion,
        "version": one.version,
        "email": one.email,
        "by_owner": one.by_owner,
        "answers": one.answers,
        "labelled": labelled,
        "files": files,
    }


def left(responses: Iterable[Response]) -> list[Left]:
    """Responses as the account's lists of what came in tell them."""
    return [
        {
            "id": row["id"],
            "name": _name_in(row) or row["email"] or "Somebody",
            "email": row["email"],
            "phone": "",
            "note": "; ".join(_told(one) for one in row["labelled"][:3])[:300],
            "at": row["submitted_at"] or "",
            "thing_id": row["form_id"],
            "page": f"/app/form/{row['form_id']}/responses",
        }
        for row in response_rows(responses)
    ]


def _name_in(row: ResponseRow) -> str:
    """What was answered to a question for a name, as ready-made forms and most others call it."""
    told = {one["key"]: one["text"] for one in row["labelled"]}
    return next((told[key][:80] for key in ("name", "full_name", "your_name", "first_name") if key in told), "")


def _told(one: Labelled) -> str:
    return f"{one['label']}{'' if one['label'].endswith(('?', ':')) else ':'} {one['text']}"
