"""Forms: the cost of the guest page, a submission, the inbox, statistics and exports of many responses.

The floors work on the same rows with raw statements. The benchmark runs on PostgreSQL if WORKSPACE_DATABASE_URL names a
server.

    python benchmarks/bench_forms.py
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from read_growth import cost, database  # sets up Django

# isort: split
from django.db import connection
from django.test import Client
from table import Row, markdown

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account, Person
from workspace.delivery import jobs
from workspace.delivery.jobs.worker import JobWorker
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock
from workspace.products.form.domain.submissions import build_search_text
from workspace.products.form.models import Form, Response

MANY = (1_000, 10_000)
SECONDS = 5  # limit for a file of 10,000 responses
FIELDS: list[dict[str, Any]] = [
    {"label": "Your name", "key": "name", "required": True},
    {"label": "E-mail", "key": "email", "type": "email", "required": True},
    {"label": "Phone", "key": "phone", "type": "phone"},
    {"label": "Website", "key": "site", "type": "url"},
    {"label": "Day", "key": "day", "type": "date"},
    {"label": "Time", "key": "time", "type": "time"},
    {"label": "Guests", "key": "guests", "type": "integer", "min": 1},
    {"label": "Budget", "key": "budget", "type": "number"},
    {"label": "Occasion", "key": "occasion", "type": "radio", "options": ["Wedding", "Birthday", "Work", "Other"]},
    {"label": "Room", "key": "room", "type": "dropdown", "options": ["Garden", "Hall", "Cellar"]},
    {
        "label": "Food",
        "key": "food",
        "type": "checkboxes",
        "options": [{"label": "Buffet", "score": 28.5}, {"label": "Grill", "score": 31}, "None"],
    },
    {"label": "Music?", "key": "music", "type": "yes_no"},
    {"label": "Which", "key": "which", "show_if": {"field": "music", "is": True}},
    {"label": "How did you find us?", "key": "found", "type": "rating"},
    {"label": "Would you come again?", "key": "again", "type": "nps"},
    {"label": "Allergies", "key": "allergies", "type": "long_text"},
    {"label": "Anything else", "key": "else", "type": "long_text"},
    {"label": "News?", "key": "news", "type": "checkbox"},
    {"label": "Agreed", "key": "agreed", "type": "consent"},
    {"label": "About", "key": "total", "type": "calculated", "formula": "{guests} * {food}"},
]


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost: `seconds` of the processor, and `peak` MB above the memory used before."""

    seconds: float
    peak: float
    bytes: int


def answers(number: int) -> dict[str, Any]:
    return {
        "name": f"Guest {number} of the house",
        "email": f"guest{number}@example.com",
        "phone": f"+49 30 {1000000 + number}",
        "site": f"https://example.com/{number}",
        "day": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "time": "18:30",
        "guests": number % 90 + 1,
        "budget": 12.5 + number,
        "occasion": ("Wedding", "Birthday", "Work", "Other")[number % 4],
        "room": ("Garden", "Hall", "Cellar")[number % 3],
        "food": ["Buffet", "Grill"][: number % 2 + 1],
        "music": number % 2 == 0,
        **({"which": "A band with a singer"} if number % 2 == 0 else {}),
        "found": number % 5 + 1,
        "again": number % 11,
        "allergies": "Nuts, as far as we know, and one of us takes no milk",
        "else": f"We come in the afternoon with {number % 9} children. " * 3,
        "news": True,
        "agreed": True,
        "total": 28.5 * (number % 90 + 1),
    }


def filled(number: int) -> tuple[Caller, Form]:
    """Create a form with that many responses."""
    account = Account.open(Person.objects.create_user(f"forms{number}@example.com"), name=f"Forms {number}")
    Account.objects.filter(pk=account.pk).update(chosen_plans={"form": "pro"})
    account.refresh_from_db()
    caller = Caller(account)
    made: Any = execute_tool(CATALOG.by_name["svc_form_create"], caller, {"title": "Party", "fields": FIELDS})
    form = Form.objects.get(pk=made.data["id"])
    definition, now = form.definition, clock.now()
    for begin in range(0, number, 500):
        rows = [
            Response(
                account=account, form=form, version=1, answers=answers(one), dedupe_key=f"guest {one}",
                email=f"guest{one}@example.com", search=build_search_text(definition, answers(one)), created_at=now,
            )
            for one in range(begin, min(begin + 500, number))
        ]  # fmt: skip
        Response.objects.bulk_create(rows)
    return caller, form


def exported(caller: Caller, form: Form, format: str) -> int:
    answer: Any = execute_tool(CATALOG.by_name["svc_form_export"], caller, {"id": form.pk, "format": format})
    lane = JobWorker()
    while lane.run_once():
        pass
    return jobs.get_job(caller.account, answer.data["job_id"]).file_size


def rows_by_hand(form: Form) -> Iterator[list[Any]]:
    keys = [str(one["key"]) for one in FIELDS]
    with connection.chunked_cursor() as cursor:
        cursor.execute("SELECT answers FROM form_response WHERE form_id = %s ORDER BY created_at, id", [form.pk])
        for (text,) in cursor:
            told = json.loads(text) if isinstance(text, str) else text
            yield [", ".join(one) if isinstance(one := told.get(key), list) else one for key in keys]


def csv_by_hand(form: Form) -> int:
    out = io.StringIO()
    csv.writer(out).writerows(rows_by_hand(form))
    return len(out.getvalue().encode())


def xlsx_by_hand(form: Form) -> int:
    from xlsxwriter import Workbook

    out = io.BytesIO()
    book = Workbook(out, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    sheet = book.add_worksheet()
    for place, row in enumerate(rows_by_hand(form)):
        sheet.write_row(place, 0, row)
    book.close()
    return len(out.getvalue())


def measure_once(work: Callable[[], int]) -> Cost:
    before = _peak(reset=True)
    began = time.process_time()
    size = work()
    return Cost(time.process_time() - began, _peak() - before, size)


def _peak(*, reset: bool = False) -> float:
    """Return this process's peak memory in MB since the last reset."""
    if reset:
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


def read_by_hand(form: Form, most: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM form_response WHERE form_id = %s AND folder = 'inbox'", [form.pk])
        cursor.execute(
            "SELECT id, answers, created_at, email FROM form_response WHERE form_id = %s AND folder = 'inbox' AND "
            "binned_at IS NULL ORDER BY created_at DESC, id DESC LIMIT %s",
            [form.pk, most],
        )
        found = cursor.fetchall()
    return len([json.loads(row[1]) if isinstance(row[1], str) else row[1] for row in found])


def owners(caller: Caller, form: Form, number: int) -> Iterator[Row]:
    for name, most in (("svc_form_responses", 50), ("svc_form_stats", 1000)):
        tool = CATALOG.by_name[name]
        told = cost(partial(execute_tool, tool, caller, {"id": form.pk}))
        low = cost(partial(read_by_hand, form, most))
        note = f"the newest {most:,} are looked at"
        yield Row(f"{name}, {number:,} responses", f"{told:.2f} ms", f"{low:.2f} ms", low / told, note=note)


def guests(form: Form, typing: float) -> Iterator[Row]:
    """Yield the costs of a page and a submission, from enough addresses that no rate limit applies."""
    places = (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" for number in itertools.count(1))
    guest = Client(HTTP_HOST="127.0.0.1:8000")
    path = f"/f/{form.slug}"
    page = guest.get(path, REMOTE_ADDR=next(places)).content.decode()
    stamp = page.split('name="stamp" value="')[1].split('"')[0]
    time.sleep(typing)  # as long as a person takes
    given = {f"f-{key}": _typed(value) for key, value in answers(3).items() if key != "total"}
    numbers = itertools.count(1)

    def send() -> None:
        told = {**given, "f-name": f"Guest {next(numbers)}", "stamp": stamp, "version": "1", "page": "page_1"}
        answer = guest.post(path, {**told, "told": "1", "token": f"{next(numbers):024}"}, REMOTE_ADDR=next(places))
        assert answer.status_code == 303, answer.content

    def prefilled() -> None:
        assert guest.get(f"{path}?name=Ada{next(numbers)}", REMOTE_ADDR=next(places)).status_code == 200

    bare = cost(lambda: guest.get("/static/public/icon.svg", REMOTE_ADDR=next(places)))
    row = cost(lambda: insert_by_hand(form, next(numbers)))
    for what, work, low, note in (
        ("a guest's page", lambda: guest.get(path, REMOTE_ADDR=next(places)), bare, "beside a small file"),
        ("the same, filled in by its address", prefilled, bare, "beside a small file"),
        ("a form that is sent", send, row, "beside the row of it"),
    ):
        told = cost(work)
        yield Row(what, f"{told:.2f} ms", f"{low:.2f} ms", low / told, note=f"20 fields; {note}")


def insert_by_hand(form: Form, number: int) -> None:
    values = [f"by hand {number}", form.account_id, form.pk, json.dumps(answers(number)), f"by hand {number}"]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO form_response (id, account_id, form_id, version, answers, folder, suspicion, by_owner, "
            "is_over_limit, dedupe_key, email, page, language, search, created_at) VALUES "
            "(%s, %s, %s, 1, %s, 'spam', '', FALSE, FALSE, %s, '', '', '', '', CURRENT_TIMESTAMP)",
            values,
        )


def _typed(value: Any) -> Any:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def files(caller: Caller, form: Form, number: int) -> Iterator[Row]:
    by_hand = {"csv": csv_by_hand, "xlsx": xlsx_by_hand}
    for format, floor in by_hand.items():
        low = measure_once(partial(floor, form))
        told = measure_once(partial(exported, caller, form, format))
        note = f"at most {told.peak:.0f} MB more memory; {told.bytes / 1024**2:.1f} MB" + (
            f"; goal: {SECONDS} s" if number == MANY[-1] else ""
        )
        what = f"{number:,} responses as {format}"
        yield Row(what, f"{told.seconds:.2f} s", f"{low.seconds:.2f} s", low.seconds / told.seconds, note=note)


def measure(many: Iterable[int] = MANY, typing: float = 6) -> list[Row]:
    rows: list[Row] = []
    with database():
        for number in many:
            caller, form = filled(number)
            rows += files(caller, form, number)
            rows += owners(caller, form, number)
        rows += guests(form, typing)
    return rows


if __name__ == "__main__":
    table = measure((50,), 0) if "--short" in sys.argv else measure()
    print(json.dumps({"rows": [asdict(row) for row in table]}) if "--json" in sys.argv else markdown(table))
