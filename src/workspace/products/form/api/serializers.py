"""Serializers of forms and responses, which all answers use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.products.form.domain.queries import has_monthly_limit
from workspace.products.form.domain.response_data import LabeledAnswer, ResponseData, list_response_data
from workspace.products.form.models import INBOX, PARTIAL, SPAM, Form, Response
from workspace.products.form.rules.definition_as_input import pages_as_input
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.products.form.rules.reachability import find_paths
from workspace.public_site.embeds import RefusedWebsite, Snippets, build_snippets, list_refused_websites
from workspace.publishing.serializers import ItemSummary, item_summary
from workspace.publishing.submissions import Submission
from workspace.storage.database.compiled_function import compile_once

EMBED_HEIGHT = 700  # height of a frame that cannot report its height to the website, so its content scrolls


class FormSummary(ItemSummary):
    """A form. `accepting` is the owner's switch. `closed` is why it is closed: paused, over, full or empty."""

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


class ThankYouData(TypedDict):
    text: str
    redirect_url: str


class VersionData(TypedDict):
    number: int
    made_at: str | None
    fields: int


class FormDetail(FormSummary, Snippets):
    """A form in full.

    `script` and `iframe` are HTML for the websites in `hosts`. `refused` are websites blocked in the last 30 days.
    `never` are keys of unreachable pages and fields.
    """

    pages: list[dict[str, Any]]
    one_per_email: bool
    one_at_a_time: bool
    thank_you: ThankYouData
    notify: list[str]
    receipt: bool
    language: str
    color: str
    webhook_url: str
    hosts: list[str]
    refused: list[RefusedWebsite]
    never: list[str]
    versions: list[VersionData]


def form_summaries(forms: Sequence[Form], account: Account) -> list[FormSummary]:
    """Return the summaries of forms. The number of queries is fixed."""
    keys = [form.pk for form in forms]
    if not keys:
        return []
    limited = has_monthly_limit(account)
    counts: dict[str, Counter[str]] = {key: Counter() for key in keys}
    newest = dict[str, Any]()
    for key, folder, count, unread, latest in _folder_counts.fetch(keys, limited):
        counts[key][folder] = count
        if folder == INBOX:
            counts[key]["unread"], newest[key] = unread, latest
    return [_form_summary(form, counts[form.pk], newest.get(form.pk)) for form in forms]


@compile_once
def _folder_counts(form_ids: list[str], limited: bool) -> QuerySet[Any, Any]:
    """Return the number of responses, the number of unread ones, and the latest time, by form and folder."""
    responses = Response.objects.filter(form__in=form_ids).order_by()
    if limited:
        responses = responses.filter(is_over_limit=False)
    unread = Count("pk", filter=Q(read_at=None))
    counts: QuerySet[Any, Any] = responses.values_list("form", "folder").annotate(
        count=Count("pk"), unread=unread, latest=Max("created_at")
    )
    return counts


def _form_summary(form: Form, counts: Counter[str], newest: Any) -> FormSummary:
    return {
        **item_summary(form),
        "title": form.title,
        "accepting": form.accepting,
        "closed": form.closed_reason(counts[INBOX]),
        "responses": counts[INBOX],
        "unread": counts["unread"],
        "spam": counts[SPAM],
        "partial": counts[PARTIAL],
        "last_response_at": clock.to_iso(newest),
        "closes_at": clock.to_iso(form.closes_at),
        "max_responses": form.max_responses,
        "version": form.version,
    }


def form_detail(form: Form, number: int | None = None) -> FormDetail:
    definition = form.definition_at(number or form.version)
    return {
        **form_summaries([form], form.account)[0],
        **build_snippets(form, form.title, EMBED_HEIGHT),
        "pages": pages_as_input(definition),
        "one_per_email": form.one_per_email,
        "one_at_a_time": form.one_at_a_time,
        "thank_you": {"text": form.thank_you, "redirect_url": form.redirect_url},
        "notify": form.notify,
        "receipt": form.receipt,
        "language": form.language,
        "color": form.color,
        "webhook_url": webhooks.item_endpoint_url(form.account, form.pk),
        "hosts": form.hosts,
        "refused": list_refused_websites(form),
        "never": find_paths(definition).unreachable,
        "versions": [
            {
                "number": version.number,
                "made_at": clock.to_iso(version.created_at),
                "fields": len(answerable_fields(version.body)),
            }
            for version in form.versions.order_by("-number")[:20]
        ],
    }


def response_submissions(responses: Iterable[Response]) -> list[Submission]:
    """Return responses in the format of the account's lists of submissions."""
    return [
        {
            "id": row["id"],
            "name": _find_name(row) or row["email"] or "Anonymous",
            "email": row["email"],
            "phone": "",
            "note": "; ".join(_format_answer(answer) for answer in row["labelled"][:3])[:300],
            "at": row["submitted_at"] or "",
            "thing_id": row["form_id"],
            "page": f"/app/form/{row['form_id']}/responses",
        }
        for row in list_response_data(responses)
    ]


def _find_name(row: ResponseData) -> str:
    """Return the answer to a question for a name, which is recognized by the keys that templates and most forms use."""
    data = {answer["key"]: answer["text"] for answer in row["labelled"]}
    return next((data[key][:80] for key in ("name", "full_name", "your_name", "first_name") if key in data), "")


def _format_answer(answer: LabeledAnswer) -> str:
    return f"{answer['label']}{'' if answer['label'].endswith(('?', ':')) else ':'} {answer['text']}"
