"""Statistics of a form's responses: views, starts and submissions, where people stop, and their answers."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, time, timedelta
from fractions import Fraction
from statistics import median
from typing import Any, NotRequired

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_days,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib import clock
from workspace.lib.text import escape_markdown
from workspace.products.form.domain.queries import filter_by_plan
from workspace.products.form.domain.visible_questions import count_field_views
from workspace.products.form.models import INBOX, PARTIAL, Form, Response
from workspace.products.form.rules import field_types
from workspace.products.form.rules.answer_text import format_answer
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.tools.answer import format_fact_list

MAX_RESPONSES = 1000  # newest responses that are evaluated
MAX_TEXTS = 5
MAX_NUMBERS = 10  # distinct numbers for which each number is counted
START_EVENT, PAGE_EVENT = (
    "start",
    "page",
)  # events of the guest page: the first answer, and each page reached (`part`)


class AnswerCount(TypedDict):
    value: str
    label: str
    count: int
    percent: float


class QuestionStats(TypedDict):
    """The statistics of a question.

    `asked` is how many guests saw it. `options` are counts for choices, and for numbers if there are at most ten
    different ones. `mean` and `median` are for numbers, `nps` for scales from 0 to 10, and `texts` are the newest
    answers of other types.
    """

    key: str
    label: str
    type: str
    asked: int
    answered: int
    options: NotRequired[list[AnswerCount]]
    mean: NotRequired[float | None]
    median: NotRequired[float | None]
    nps: NotRequired[int | None]
    texts: NotRequired[list[str]]


class DropOff(TypedDict):
    """How many guests reached a page within the window, and how many unsent responses stopped there.

    Guests reach the first page when they give an answer. A deleted page is listed while it has counts.
    """

    page: str
    title: str
    reached: int
    stopped: int


class FormStats(VisitStats):
    """The statistics of a form.

    Visits are views of its page. `looked_at` is the number of the newest responses from which `questions` are computed.
    """

    id: str
    title: str
    starts: int
    sent_in_days: int
    responses: int
    begun: int
    stops: list[DropOff]
    looked_at: int
    questions: list[QuestionStats]
    by_day: list[DayStats]


def compute_stats(form: Form, account: Account, days: int) -> FormStats:
    views = compute_statistics(form.publication_id, VIEW_EVENT, days=days, zone=account.zone)
    starts = compute_statistics(form.publication_id, START_EVENT, days=days, zone=account.zone)
    mine = filter_by_plan(Response.objects.filter(form=form), account)
    reached = compute_statistics(form.publication_id, PAGE_EVENT, days=days, zone=account.zone)
    counts = Counter(mine.filter(folder=PARTIAL).order_by().values_list("page", flat=True)[:MAX_RESPONSES])
    newest = list(mine.filter(folder=INBOX).only("answers", "version", "created_at")[:MAX_RESPONSES])
    requested = {form.version, *(response.version for response in newest)}
    versions = {version.number: version.body for version in form.versions.filter(number__in=requested)}
    definition = versions[form.version]
    return {
        **add_previous_counts(visit_stats(views, account), account.limits(Form.kind).history_days, views=views.before),
        "id": form.pk,
        "title": form.title,
        "starts": starts.total_in_window,
        "sent_in_days": mine.filter(folder=INBOX, created_at__gte=_window_start(account, days)).count(),
        "responses": mine.filter(folder=INBOX).count(),
        "begun": sum(counts.values()),
        "stops": _list_drop_offs(
            definition, starts.total_in_window, {count.value: count.count for count in reached.by_part}, counts
        ),
        "looked_at": len(newest),
        "questions": _list_question_stats(definition, newest, count_field_views(newest, versions, account.zone)),
        "by_day": list_day_stats(views),
    }


def _window_start(account: Account, days: int) -> datetime:
    """Return the start of the window, which covers the same days as the analytics."""
    first = clock.today(account.time_zone) - timedelta(days=days - 1)
    return datetime.combine(first, time.min, account.zone)


def _list_drop_offs(
    definition: dict[str, Any], starts: int, reached: dict[str, int], counts: Counter[str]
) -> list[DropOff]:
    pages = {page["key"]: page["title"] for page in definition["pages"]}
    first = next(iter(pages))
    removed = {key: f"{key} (removed)" for key in sorted({*reached, *counts} - {*pages, ""})}
    return [
        {
            "page": key,
            "title": title,
            "reached": starts if key == first else reached.get(key, 0),
            "stopped": counts[key],
        }
        for key, title in {**pages, **removed}.items()
    ]


def _list_question_stats(
    definition: dict[str, Any], newest: list[Response], view_counts: Counter[str]
) -> list[QuestionStats]:
    return [
        _compute_question_stats(
            field, [value for each in newest if (value := each.answers.get(field["key"])) is not None], view_counts
        )
        for field in answerable_fields(definition)
    ]


def _compute_question_stats(field: dict[str, Any], values: list[Any], view_counts: Counter[str]) -> QuestionStats:
    family = field_types.answer_family(field["type"])
    question_stats: QuestionStats = {
        "key": field["key"],
        "label": field["label"],
        "type": field["type"],
        "asked": max(view_counts[field["key"]], len(values)),
        "answered": len(values),
    }
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if family == field_types.NUMBER:
        question_stats["mean"] = round(float(sum(map(Fraction, numbers)) / len(numbers)), 2) if numbers else None
        question_stats["median"] = round(float(median(numbers)), 2) if numbers else None
        if field["type"] == "scale" and (field.get("min"), field.get("max")) == ("0", "10"):
            question_stats["nps"] = _compute_nps(numbers)
    is_counted = family in (field_types.CHOICE, field_types.MULTI, field_types.YES_NO, field_types.TICK) or field[
        "type"
    ] in ("rating", "scale")
    if is_counted or 1 < len(set(numbers)) <= MAX_NUMBERS:
        question_stats["options"] = _count_options(field, values, question_stats["asked"])
    elif family in (field_types.TEXT, field_types.DATE, field_types.TIME):
        question_stats["texts"] = [str(value)[:200] for value in values[:MAX_TEXTS]]
    return question_stats


def _compute_nps(numbers: list[float]) -> int | None:
    if not numbers:
        return None
    for_it, against = sum(number >= 9 for number in numbers), sum(number <= 6 for number in numbers)
    return round(100 * (for_it - against) / len(numbers))


def _count_options(field: dict[str, Any], values: list[Any], shown_count: int) -> list[AnswerCount]:
    counts = Counter(_to_text(item) for value in values for item in (value if isinstance(value, list) else [value]))
    family = field_types.answer_family(field["type"])
    if family in (field_types.CHOICE, field_types.MULTI):
        known = [option["value"] for option in field["options"]]
    elif field["type"] in ("rating", "scale"):
        known = [str(number) for number in range(int(field["min"]), int(field["max"]) + 1)]
    elif family == field_types.NUMBER:
        known = [str(number) for number in sorted(set(values))]
    else:
        known = ["yes", "no"] if family == field_types.YES_NO else ["yes"]
    others = [word for word, _ in counts.most_common(20 + len(known)) if word not in known][:20]
    return [
        {
            "value": word,
            "label": format_answer(field, word),
            "count": counts[word],
            "percent": round(100 * counts[word] / shown_count, 1) if shown_count else 0.0,
        }
        for word in [*known, *others]
    ]


def _to_text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def format_form_stats(stats: FormStats) -> str:
    pairs = {
        "form": f"`{stats['id']}`",
        **format_stats(stats),
        "started": stats["starts"],
        "submitted in this period": stats["sent_in_days"],
        "responses": stats["responses"],
        "started, not submitted": stats["begun"],
        "question results cover the newest responses": stats["looked_at"],
    }
    lines = [
        format_fact_list(f"Analytics of “{escape_markdown(stats['title'])}”", pairs),
        *format_days(stats["by_day"]),
    ]
    lines += [
        f"- page `{stop['page']}` {escape_markdown(stop['title'])}: "
        f"{stop['reached']} reached, {stop['stopped']} dropped off"
        for stop in stats["stops"]
    ]
    for question in stats["questions"]:
        texts = [f"`{question['key']}` {escape_markdown(question['label'])} ({question['type']})"]
        texts.append(f"{question['answered']} of {question['asked']} answered")
        texts += [f"{name} {question[name]}" for name in ("mean", "median", "nps") if question.get(name) is not None]
        texts += [
            f"{escape_markdown(option['label'])}"
            + (f" (value {escape_markdown(option['value'])})" if option["value"] != option["label"] else "")
            + f": {option['count']} ({option['percent']} %)"
            for option in question.get("options", [])
        ]
        texts += [f"“{escape_markdown(text)}”" for text in question.get("texts", [])]
        lines.append(f"- {'; '.join(texts)}")
    return "\n".join(lines)
