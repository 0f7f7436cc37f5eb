"""svc_qr_list of 50 rows, through the door, against the same rows read by a raw cursor."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_OUTBOX="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from django.core.management import call_command
from django.db import connection

from workspace.accounts.door import Caller, perform
from workspace.accounts.models import Account, Person
from workspace.interfaces.catalogue import CATALOGUE

ROWS, SECONDS = 50, 2.0


def rate(work: Callable[[], object]) -> float:
    """Calls a second, over SECONDS."""
    work()
    began, calls = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS:
        work()
        calls += 1
    return calls / (time.perf_counter() - began)


def main() -> None:
    call_command("migrate", verbosity=0)
    caller = Caller(Account.open(Person.objects.create_user("bench@example.com"), name="Bench"))
    codes = [{"name": f"Code {n}", "target_url": f"https://example.com/{n}"} for n in range(ROWS)]
    perform(CATALOGUE.by_name["svc_qr_save_codes"], caller, {"items": codes})
    tool = CATALOGUE.by_name["svc_qr_list"]

    def raw() -> object:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT c.*, p.*, a.slug FROM qr_code c JOIN publishing_publication p ON p.id = c.publication_id "
                "JOIN publishing_address a ON a.publication_id = p.id "
                "WHERE c.account_id = %s ORDER BY c.id DESC LIMIT 50",
                [caller.account.pk],
            )
            return cursor.fetchall()

    floor, listed = rate(raw), rate(lambda: perform(tool, caller, {}))
    print(f"raw cursor {floor:8.0f}/s   svc_qr_list {listed:8.0f}/s   ratio {listed / floor:.3f}")


if __name__ == "__main__":
    main()
