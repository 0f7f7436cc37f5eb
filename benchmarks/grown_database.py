"""An instance as it is after years: accounts with their codes, cards and visits, and all counters.

They are created with a few large statements from one account that was created with tools.

Accounts of a class (busy, known, quiet) have the same visits with different ids. The first account of each class gets
its rows one by one, and its counters are computed from them. All others get copies of both. Tables therefore have
realistic sizes and proportions, but values repeat more than those of real guests.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.apps import apps
from django.db import connection

from workspace.publishing.models.visit_counters import CITY, COUNTRY, DEVICE, HOUR_COLUMNS, REFERRER

DAYS = 400
BEYOND = 1000  # higher than the ids of people created one by one
OF_AN_ACCOUNT = "t.account_id = '{account}'"
TABLES = {  # each with a condition that finds the template's rows
    "accounts_person": "t.id = {person}",
    "accounts_account": "t.id = '{account}'",
    "accounts_membership": OF_AN_ACCOUNT,
    "publishing_publication": OF_AN_ACCOUNT,
    "publishing_address": "t.publication_id IN (SELECT id FROM publishing_publication WHERE account_id = '{account}')",
    "qr_code": OF_AN_ACCOUNT,
    "card_card": OF_AN_ACCOUNT,
    "publishing_searchdocument": OF_AN_ACCOUNT,
}
# One account in a hundred is busy, and one in ten is well visited. These are multiples of the average, which is about
# one in all.
BUSY, KNOWN, QUIET = 20.0, 3.0, 0.59


class Template:
    """The account to copy.

    `marks` are texts in its rows (ids, slugs, addresses). Each has the text that precedes the copy's number in its
    place.
    """

    def __init__(self, account: str, person: int, marks: Mapping[str, str]) -> None:
        self.found_by = {"account": account, "person": person}
        self.marks = marks

    def copy(self, first: int, last: int) -> None:
        for table, where in TABLES.items():
            values = dict(self._values(table))
            columns = ", ".join(f'"{name}"' for name in values)
            run(
                f"INSERT INTO {table} ({columns}) SELECT {', '.join(values.values())} FROM {table} t "
                f"CROSS JOIN {numbers(first, last)} n WHERE {where.format(**self.found_by)}"
            )
        if connection.vendor == "postgresql":
            run("SELECT setval(pg_get_serial_sequence('accounts_person', 'id'), (SELECT max(id) FROM accounts_person))")

    def _values(self, table: str) -> list[tuple[str, str]]:
        model = next(model for model in apps.get_models() if model._meta.db_table == table)
        found = []
        for field in model._meta.local_concrete_fields:
            value, kind = f't."{field.column}"', field
            while kind.is_relation:
                kind = kind.target_field
            if field.column == "person_id" or (table == "accounts_person" and field.primary_key):
                value = f"{value} + {BEYOND} + n.n"
            elif "Auto" in field.get_internal_type():
                continue  # the database generates it
            elif kind.get_internal_type() in ("CharField", "TextField", "EmailField"):
                for mark, head in self.marks.items():
                    value = f"replace({value}, '{mark}', '{head}' || n.n)"
            found.append((field.column, value))
        return found


MODELS = {"busy": 100, "known": 10, "quiet": 1}  # the number of the first account of each class
_MODELS = f"({' UNION ALL '.join(f'SELECT {number} AS n' for number in MODELS.values())})"
_CLASS = "CASE WHEN n.n % 100 = 0 THEN 100 WHEN n.n % 10 = 0 THEN 10 ELSE 1 END"


def visit(publication: str, event: str, each: float) -> None:
    """Insert visits of the first account of each class over all days.

    The ids of their publications have this prefix and a number. `each` is the average over all accounts.
    """
    visits = (
        f"CASE WHEN n.n % 100 = 0 THEN {each * BUSY:.0f} WHEN n.n % 10 = 0 THEN {each * KNOWN:.0f} "
        f"ELSE {each * QUIET:.0f} END"
    )
    some = "((v.n * 7919 + c.n * 104729) % 1000)"  # pseudo-random, and always the same
    if connection.vendor == "sqlite":
        day = f"date('now', '-' || CAST((v.n + 0.5) / c.visits * {DAYS} AS INTEGER) || ' days')"
        at = f"{day} || printf(' %02d:%02d:00', {some} % 14 + 8, {some} % 60)"
        no, visitor = "0", "lower(hex(randomblob(16)))"
    else:
        day = f"(current_date - CAST(floor((v.n + 0.5) / c.visits * {DAYS}) AS integer))"
        at = f"({day} + make_interval(hours => {some} % 14 + 8, mins => {some} % 60)) AT TIME ZONE 'UTC'"
        no, visitor = "false", "md5(c.n || ':' || v.n)"
    run(
        "INSERT INTO publishing_visit "
        "(publication_id, event, detail, occurred_at, day, bot, device, city, country, referrer, visitor) "
        f"SELECT '{publication}' || c.n, '{event}', '', {at}, {day}, {no}, "
        f"CASE WHEN {some} < 800 THEN 'phone' ELSE 'desktop' END, "
        f"CASE WHEN {some} < 600 THEN 'Vienna' WHEN {some} < 800 THEN 'Graz' ELSE 'City ' || ({some} % 50) END, "
        f"CASE WHEN {some} < 900 THEN 'Austria' ELSE 'Germany' END, "
        f"CASE WHEN {some} < 700 THEN '' ELSE 'instagram.com' END, {visitor} "
        f"FROM (SELECT n.n AS n, {visits} AS visits FROM {_MODELS} n) c "
        f"JOIN {numbers(0, int(each * BUSY))} v ON v.n < c.visits ORDER BY 5"
    )


def count(publication: str) -> None:
    """Compute the counters of the first account of each class from its visits."""
    if connection.vendor == "sqlite":
        hour, begins = "CAST(strftime('%H', v.occurred_at) AS INTEGER)", "v.day || ' 00:00:00'"
    else:
        hour, begins = "extract(hour FROM v.occurred_at AT TIME ZONE 'UTC')", "v.day::timestamp AT TIME ZONE 'UTC'"
    chosen = f"SELECT '{publication}' || n.n FROM {_MODELS} n"
    run(
        "INSERT INTO publishing_visitcounter (publication_id, event, detail, total, uniques, bots, last_visit_at) "
        "SELECT publication_id, event, '', count(*), count(*), 0, max(occurred_at) FROM publishing_visit "
        f"WHERE publication_id IN ({chosen}) GROUP BY publication_id, event"
    )
    tallied = (
        "publishing_visit v JOIN publishing_visitcounter t ON t.publication_id = v.publication_id AND t.detail = ''"
    )
    mine = f"WHERE v.publication_id IN ({chosen})"
    hours = ", ".join(f"sum(CASE WHEN {hour} = {number} THEN 1 ELSE 0 END)" for number in range(24))
    run(
        f"INSERT INTO publishing_dailycounter (counter_id, day, begins_at, count, uniques, bots, "
        f"{', '.join(HOUR_COLUMNS)}) "
        f"SELECT t.id, v.day, {begins}, count(*), count(*), 0, {hours} FROM {tallied} {mine} GROUP BY t.id, v.day"
    )
    for dimension in (DEVICE, CITY, COUNTRY, REFERRER):
        run(
            "INSERT INTO publishing_breakdown (counter_id, dimension, value, count, uniques, last_day) "
            f"SELECT t.id, '{dimension}', v.{dimension}, count(*), count(*), max(v.day) FROM {tallied} {mine} "
            f"GROUP BY t.id, v.{dimension}"
        )
        run(
            "INSERT INTO publishing_dailybreakdown (breakdown_id, day, before_count, before_uniques) "
            "SELECT id, day, sum(number) OVER earlier - number, sum(number) OVER earlier - number FROM ("
            f"SELECT f.id AS id, v.day AS day, count(*) AS number FROM {tallied} "
            f"JOIN publishing_breakdown f ON f.counter_id = t.id AND f.dimension = '{dimension}' "
            f"AND f.value = v.{dimension} {mine} GROUP BY f.id, v.day) days "
            "WINDOW earlier AS (PARTITION BY id ORDER BY day)"
        )


def spread(publication: str, first: int, last: int) -> None:
    """Copy the visits and counters of the first account of each class to all others with these numbers."""
    models = ", ".join(map(str, MODELS.values()))
    others = f"(SELECT n.n AS n, {_CLASS} AS model FROM {numbers(first, last)} n WHERE n.n NOT IN ({models})) c"
    tallies = (
        f"{others} JOIN publishing_visitcounter old ON old.publication_id = '{publication}' || c.model "
        "AND old.detail = '' "
        f"JOIN publishing_visitcounter t ON t.publication_id = '{publication}' || c.n "
        "AND t.event = old.event AND t.detail = ''"
    )
    told = "event, detail, occurred_at, day, bot, device, city, country, referrer, visitor"
    visits = f"{others} JOIN publishing_visit s ON s.publication_id = '{publication}' || c.model ORDER BY s.occurred_at"
    _copy("visit", f"publication_id, {told}", f"'{publication}' || c.n, {_qualify_columns('s', told)}", visits)
    told = "event, detail, total, uniques, bots, last_visit_at"
    _copy("visitcounter", f"publication_id, {told}", f"'{publication}' || c.n, {_qualify_columns('s', told)}",
          f"{others} JOIN publishing_visitcounter s ON s.publication_id = '{publication}' || c.model")  # fmt: skip
    told = ", ".join(["day", "begins_at", "count", "uniques", "bots", *HOUR_COLUMNS])
    _copy("dailycounter", f"counter_id, {told}", f"t.id, {_qualify_columns('s', told)}",
          f"{tallies} JOIN publishing_dailycounter s ON s.counter_id = old.id")  # fmt: skip
    told = "dimension, value, count, uniques, last_day"
    _copy("breakdown", f"counter_id, {told}", f"t.id, {_qualify_columns('s', told)}",
          f"{tallies} JOIN publishing_breakdown s ON s.counter_id = old.id")  # fmt: skip
    told = "day, before_count, before_uniques"
    _copy("dailybreakdown", f"breakdown_id, {told}", f"f.id, {_qualify_columns('s', told)}",
          f"{tallies} JOIN publishing_breakdown o ON o.counter_id = old.id "
          "JOIN publishing_breakdown f ON f.counter_id = t.id "
          "AND f.dimension = o.dimension AND f.value = o.value "
          "JOIN publishing_dailybreakdown s ON s.breakdown_id = o.id",
    )  # fmt: skip


def _copy(table: str, columns: str, values: str, rows: str) -> None:
    run(f"INSERT INTO publishing_{table} ({columns}) SELECT {values} FROM {rows}")


def _qualify_columns(row: str, columns: str) -> str:
    return ", ".join(f"{row}.{name}" for name in columns.split(", "))


def quickly() -> None:
    """Turn off durability for this connection, because its data need not survive a power failure."""
    if connection.vendor == "sqlite":
        run("PRAGMA synchronous=OFF")
        run("PRAGMA cache_size=-500000")
    else:
        run("SET synchronous_commit TO off")
        run("SET work_mem TO '256MB'")


def numbers(first: int, last: int) -> str:
    """Return a table with the column n."""
    if connection.vendor == "sqlite":
        begin = f"SELECT {first} AS n UNION ALL SELECT n + 1 FROM c WHERE n < {last}"
        return f"(WITH RECURSIVE c(n) AS ({begin}) SELECT n FROM c)"
    return f"(SELECT generate_series({first}, {last}) AS n)"


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
