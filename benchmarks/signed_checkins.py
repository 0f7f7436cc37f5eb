"""Check-in for an account with a hundred thousand signatures: the check and the search.

Both run for a rare name and for the most frequent one, and are compared with a raw statement in the same run. The goal
is 20 ms. The benchmark runs on PostgreSQL, in a separate database, if WORKSPACE_DATABASE_URL names a server.

    python benchmarks/signed_checkins.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

from read_growth import cost, database  # sets up Django
from table import Row, markdown

# isort: split
from django.db import connection

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account, Person
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock, name_key
from workspace.lib.text import search_key
from workspace.products.waiver.models import NameWord, Signature, Signing, Waiver

SIGNATURES = 100_000
SECOND_WAIVER = 0.3  # share of signatures on another waiver
CHILDREN = 0.25  # share of signatures by another person
GOAL = 20  # milliseconds
BATCH = 2_000
# a thousand names each; the most frequent one belongs to one person in twenty, as in some towns
COMMON = ("Maria", "Müller")
QUESTIONS = {
    "svc_waiver_check": {
        "a rare name": "Rarissima Onlyone",
        "the commonest name": "Maria Müller",
        "its first word alone": "Maria",
        "an address": "guest77@example.com",
        "a number": "+43 660 1000077",
        "nobody": "Nobody Here",
    },
    "svc_waiver_search": {
        "nothing": "",
        "a letter": "m",
        "the begin of the commonest name": "mar",
        "the commonest name": "maria mül",
        "its first word alone": "maria",
        "the begin of a rare one": "rariss",
        "an address": "guest77@",
        "a number": "6601000077",
        "nobody": "xqzw",
    },
}
# filters of the search, as used by the check-in list and the owner's list
NARROWED = {
    "the commonest name, valid": {"q": "maria", "state": "valid"},
    "all that are valid": {"state": "valid"},
    "all that end soon": {"state": "expiring"},
    "all that are voided": {"state": "voided"},
}
# the newest rows with the word, with all columns of a list
FLOOR = """SELECT s.*, g.*, w.title, w.required_version FROM waiver_nameword n
  JOIN waiver_signature s ON s.id = n.signature_id JOIN waiver_signing g ON g.id = s.signing_id
  JOIN waiver_waiver w ON w.id = s.waiver_id
  WHERE n.account_id = %s AND n.word = %s AND NOT n.of_signer ORDER BY n.signature_id DESC LIMIT 50"""


def measure(count: int = SIGNATURES) -> list[Row]:
    with database():
        caller = Caller(Account.open(Person.objects.create_user("door@example.com"), name="Door"))
        fill(caller.account, count)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE" if connection.vendor == "postgresql" else "PRAGMA optimize")
        low = cost(partial(floor, caller.account.pk))
        return list(_measure_rows(caller, low))


def _measure_rows(caller: Caller, low: float) -> Iterator[Row]:
    for name, questions in QUESTIONS.items():
        tool, argument = CATALOG.by_name[name], "who" if name.endswith("check") else "q"
        each = {what: {argument: asked} for what, asked in questions.items()}
        for what, asked in {**each, **(NARROWED if argument == "q" else {})}.items():
            answer: Any = execute_tool(tool, caller, asked).data
            told = cost(partial(execute_tool, tool, caller, asked))
            found = f"{len(answer['people'])} people" if "people" in answer else f"{answer['total']:,} signatures"
            yield Row(f"{name}, {what}", f"{told:.2f} ms", f"{low:.2f} ms", GOAL / told, 1, f"goal {GOAL} ms; {found}")


def floor(account: str) -> None:
    cursor = connection.connection.cursor()
    statement = FLOOR if connection.vendor == "postgresql" else FLOOR.replace("%s", "?")
    cursor.execute(statement, [account, "maria"]).fetchall()
    cursor.close()


def fill(account: Account, count: int) -> None:
    """Insert signatures of two waivers over two years, only as rows without PDFs and records."""
    Account.objects.filter(pk=account.pk).update(chosen_plans={"waiver": "pro"})
    account.refresh_from_db()
    chance = Random(1908)
    waivers = [Waiver.create_waiver(account, title=title, text="I take part.") for title in ("Boats", "Climbing")]
    given, family = _names(chance, COMMON[0]), _names(chance, COMMON[1])
    weights = [1 / (rank + 3) for rank in range(len(given))]
    begin = clock.now() - timedelta(days=730)
    for start in range(0, count, BATCH):
        numbers = range(start, min(start + BATCH, count))
        firsts, lasts = chance.choices(given, weights, k=BATCH), chance.choices(family, weights, k=BATCH)
        signings, signatures = [], []
        for number, first, last in zip(numbers, firsts, lasts, strict=False):
            name = "Rarissima Onlyone" if number == count // 2 else f"{first} {last}"
            is_child = chance.random() < CHILDREN
            signer = f"{given[number % 900]} {last}" if is_child else name
            at = begin + timedelta(minutes=10 * number)
            email, digits = f"guest{number}@example.com", f"660{1_000_000 + number}"
            waiver = waivers[chance.random() < SECOND_WAIVER]
            signing = Signing(
                account=account, waiver=waiver, version=1, token=str(number), name=signer, email=email,
                phone=f"+43{digits}", signature_kind="typed", typed_name=signer, time_zone="UTC", signed_at=at,
            )  # fmt: skip
            signings.append(signing)
            signatures.append(
                Signature(
                    account=account,
                    waiver=waiver,
                    signing=signing,
                    version=1,
                    name=name,
                    person=name_key.build_key(name),
                    is_signer=not is_child,
                    email=email,
                    phone=f"+43{digits}",
                    phone_national=digits,
                    created_at=at,
                    expires_at=at + timedelta(days=365),
                    search=search_key(f"{name} {signer} {email} +43{digits}"),
                )
            )
        Signing.objects.bulk_create(signings)
        Signature.objects.bulk_create(signatures)
        words = [w for one, of in zip(signatures, signings, strict=True) for w in NameWord.build_words(one, of.name)]
        NameWord.objects.bulk_create(words)
    for waiver in waivers:
        Waiver.objects.filter(pk=waiver.pk).update(signed_count=waiver.signatures.count())


def _names(chance: Random, commonest: str, many: int = 1000) -> list[str]:
    """Return distinct names with plausible beginnings."""
    found = {commonest: None}
    while len(found) < many:
        parts = [f"{chance.choice('bcdfghjklmnprstvwz')}{chance.choice('aeiou')}" for _ in range(chance.randint(2, 4))]
        found["".join(parts).capitalize()] = None
    return list(found)


if __name__ == "__main__":
    table = measure(2_000) if "--short" in sys.argv else measure()
    print(json.dumps({"rows": [asdict(row) for row in table]}) if "--json" in sys.argv else markdown(table))
