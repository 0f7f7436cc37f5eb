"""What a form's answers come to: how many saw, began and sent it, where people stop, and what they said."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, time, timedelta
from fractions import Fraction
from statistics import median
from typing import Any, NotRequired

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import statistics
from workspace.analytics.serializers import DayRow, Visits, day_rows, facts_of, lines_of, visits, with_before
from workspace.lib import clock
from workspace.lib.text import escape_markdown
from workspace.products.form.domain.queries import within_plan
from workspace.products.form.domain.visible_questions import asked_of
from workspace.products.form.models import INBOX, PARTIAL, Form, Response
from workspace.products.form.rules import field_types
from workspace.products.form.rules.form_output import asked, said
from workspace.publishing.models.visit import VIEW
from workspace.tools.answer import facts

NEWEST = 1000  # responses that are looked at
MOST_TEXTS = 5
MOST_NUMBERS = 10  # different ones, of which each is counted
START, PAGE = "start", "page"  # events of the guest's page: its first answer, and each page that is reached (`part`)


class Answered(TypedDict):
    value: str
    label: str
    count: int
    percent: float


class Question(TypedDict):
    """`asked`: how many saw it; `options` of choices, and of numbers where up to ten different ones were
    given; `mean` and `median` of numbers, `nps` of scales from 0 to 10, `texts` the newest of others."""

    key: str
    label: str
    type: str
    asked: int
    answered: int
    options: NotRequired[list[Answered]]
    mean: NotRequired[float | None]
    median: NotRequired[float | None]
    nps: NotRequired[int | None]
    texts: NotRequired[list[str]]


class Stop(TypedDict):
    """How many reached a page in the window (of the first, gave an answer), and how many of those that wait to be gone
    on with stopped there. A page that has gone since is there as long as something is told of it."""

    page: str
    title: str
    reached: int
    stopped: int


class Stats(Visits):
    """The visits are views of its page. `looked_at`: the newest responses that the questions are about."""

    id: str
    title: str
    starts: int
    sent_in_days: int
    responses: int
    begun: int
    stops: list[Stop]
    looked_at: int
    questions: list[Question]
    by_day: list[DayRow]


def figures(form: Form, account: Account, days: int) -> Stats:
    views = statistics(form.publication_id, VIEW, days=days, zone=account.zone)
    starts = statistics(form.publication_id, START, days=days, zone=account.zone)
    mine = within_plan(Response.objects.filter(form=form), account)
    reached = statistics(form.publication_id, PAGE, days=days, zone=account.zone)
    begun = Counter(mine.filter(folder=PARTIAL).order_by().values_list("page", flat=True)[:NEWEST])
    newest = list(mine.filter(folder=INBOX).only("answers", "version", "created_at")[:NEWEST])
    wanted = {form.version, *(one.version for one in newest)}
    versions = {one.number: one.body for one in form.versions.filter(number__in=wanted)}
    definition = versions[form.version]
    return {
        **with_before(visits(views, account), account.limits(Form.kind).history_days, views=views.before),
        "id": form.pk,
        "title": form.title,
        "starts": starts.total_in_window,
        "sent_in_days": mine.filter(folder=INBOX, created_at__gte=_first(account, days)).count(),
        "responses": mine.filter(folder=INBOX).count(),
        "begun": sum(begun.values()),
        "stops": _stops(definition, starts.total_in_window, {one.value: one.count for one in reached.by_part}, begun),
        "looked_at": len(newest),
        "questions": _questions(definition, newest, asked_of(newest, versions, account.zone)),
        "by_day": day_rows(views),
    }


def _first(account: Account, days: int) -> datetime:
    """When the window begins, as `statistics` counts its days."""
    first = clock.today(account.time_zone) - timedelta(days=days - 1)
    return datetime.combine(first, time.min, account.zone)


def _stops(definition: dict[str, Any], starts: int, reached: dict[str, int], begun: Counter[str]) -> list[Stop]:
    pages = {page["key"]: page["title"] for page in definition["pages"]}
    first = next(iter(pages))
    gone = {key: f"{key} (no longer there)" for key in sorted({*reached, *begun} - {*pages, ""})}
    return [
        {"page": key, "title": title, "reached": starts if key == first else reached.get(key, 0), "stopped": begun[key]}
        for key, title in {**pages, **gone}.items()
    ]


def _questions(definition: dict[str, Any], newest: list[Response], seen: Counter[str]) -> list[Question]:
    return [
        _question(one, [value for each in newest if (value := each.answers.get(one["key"])) is not None], seen)
        for one in asked(definition)
    ]


def _question(field: dict[str, Any], values: list[Any], seen: Counter[str]) -> Question:
    family = field_types.family(field["type"])
    found: Question = {
        "key": field["key"],
        "label": field["label"],
        "type": field["type"],
        "asked": max(seen[field["key"]], len(values)),
        "answered": len(values),
    }
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if family == field_types.NUMBER:
        found["mean"] = round(float(sum(map(Fraction, numbers)) / len(numbers)), 2) if numbers else None
        found["median"] = round(float(median(numbers)), 2) if numbers else None
        if field["type"] == "scale" and (field.get("min"), field.get("max")) == ("0", "10"):
            found["nps"] = _nps(numbers)
    is_counted = family in (field_types.CHOICE, field_types.MULTI, field_types.YES_NO, field_types.TICK) or field[
        "type"
    ] in ("rating", "scale")
    if is_counted or 1 < len(set(numbers)) <= MOST_NUMBERS:
        found["options"] = _options(field, values, found["asked"])
    elif family in (field_types.TEXT, field_types.DATE, field_types.TIME):
        found["texts"] = [str(value)[:200] for value in values[:MOST_TEXTS]]
    return found


def _nps(numbers: list[float]) -> int | None:
    if not numbers:
        return None
    for_it, against = sum(one >= 9 for one in numbers), sum(one <= 6 for one in numbers)
    return round(100 * (for_it - against) / len(numbers))


def _options(field: dict[str, Any], values: list[Any], asked: int) -> list[Answered]:
    counts = Counter(_word(one) for value in values for one in (value if isinstance(value, list) else [value]))
    family = field_types.family(field["type"])
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
            "label": said(field, word),
            "count": counts[word],
            "percent": round(100 * counts[word] / asked, 1) if asked else 0.0,
        }
        for word in [*known, *others]
    ]


def _word(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def figures_text(found: Stats) -> str:
    pairs = {
        "form": f"`{found['id']}`",
        **facts_of(found),
        "began": found["starts"],
        "sent of late": found["sent_in_days"],
        "responses": found["responses"],
        "begun and not sent": found["begun"],
        "questions are about the newest": found["looked_at"],
    }
    lines = [facts(f"Figures of “{escape_markdown(found['title'])}”", pairs), *lines_of(found["by_day"])]
    lines += [
        f"- page `{one['page']}` {escape_markdown(one['title'])}: {one['reached']} came, {one['stopped']} stopped here"
        for one in found["stops"]
    ]
    for one in found["questions"]:
        told = [f"`{one['key']}` {escape_markdown(one['label'])} ({one['type']})"]
        told.append(f"{one['answered']} of {one['asked']} answered")
        told += [f"{name} {one[name]}" for name in ("mean", "median", "nps") if one.get(name) is not None]
        told += [
            f"{escape_markdown(option['label'])}"
            + (f" (value {escape_markdown(option['value'])})" if option["value"] != option["label"] else "")
            + f": {option['count']} ({option['percent']} %)"
            for option in one.get("options", [])
        ]
        told += [f"“{escape_markdown(text)}”" for text in one.get("texts", [])]
        lines.append(f"- {'; '.join(told)}")
    return "\n".join(lines)
