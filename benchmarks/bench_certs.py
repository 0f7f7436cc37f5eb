"""Issuing 500 certificates: the time until the answer, and the time one core takes to render and sign them with badges.

The goals are 300 ms and 40 s. As in the server, garbage collection ignores objects that existed at the start. The
floor, a loop of additions, shows how busy the machine is.

Run it alone: python benchmarks/bench_certs.py. `WORKSPACE_DATABASE_URL` names an empty PostgreSQL database, otherwise
it uses SQLite.
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import tempfile
import time

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from django.conf import settings
from django.core.management import call_command

from workspace.delivery.jobs.worker import JobWorker
from workspace.products.certs.models import Certificate
from workspace.testing.api import make_account, make_api

COUNT, TIMES = 500, 5


def spent() -> float:
    """Return the processor seconds of this process and of its child processes."""
    own, drawn = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + drawn.ru_utime + drawn.ru_stime


def floor() -> float:
    """Return the processor milliseconds of a million additions."""
    core, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number % 7
    return (time.process_time() - core) * 1000


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    api = make_api(make_account())
    id = api.run("svc_certs_save_template", name="Sailing", signers=[{"name": "Marta Holm"}])["id"]
    people = [{"name": f"Zoë Ångström {n}", "email": f"z{n}@example.com", "send": False} for n in range(COUNT)]
    ours = make_api(make_account())  # a first call, so that imports are not measured
    ours.run("svc_certs_issue", template_id=ours.run("svc_certs_save_template", name="First")["id"], recipients=["Ada"])
    walls, cores, floors = [], [], []
    gc.collect()
    gc.freeze()
    for number in range(TIMES):
        account = api.account if not number else make_account()
        ours = make_api(account)
        template = id if not number else ours.run("svc_certs_save_template", name="Sailing")["id"]
        floors.append(floor())
        begun, core = time.perf_counter(), time.process_time()
        made = ours.run("svc_certs_issue", template_id=template, recipients=people, course="Knots")
        walls.append((time.perf_counter() - begun) * 1000)
        cores.append((time.process_time() - core) * 1000)
        assert made["issued"] == COUNT
    wall, own = statistics.median(walls), statistics.median(cores)
    low = statistics.median(floors)
    print(f"{COUNT} answered: median {wall:.0f} ms, of the processor {own:.0f} ms")
    print(f"The floor: {low:.0f} ms; an answer is {own / low:.1f} of it")
    account_rows = Certificate.objects.exclude(pdf_key="")
    lane = JobWorker()
    begun, core = time.perf_counter(), spent()
    while account_rows.count() < COUNT and lane.run_once():
        pass
    count = account_rows.count()
    used = (spent() - core) * COUNT / count
    print(
        f"{COUNT} drawn, sealed and signed: {used:.1f} s of one core ({time.perf_counter() - begun:.1f} s for {count})"
    )


if __name__ == "__main__":
    main()
