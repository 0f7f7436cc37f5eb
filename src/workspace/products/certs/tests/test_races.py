"""Concurrent calls never exceed the monthly limit, and the same idempotency key issues only once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from workspace.products.certs.models import Certificate
from workspace.testing.api import make_account, make_api

pytestmark = pytest.mark.django_db(transaction=True)


def test_parallel_calls_share_the_monthly_limit_and_a_repeated_key_issues_once() -> None:
    account = make_account()
    account.chosen_plans = {"cert": "free"}
    account.save()
    api = make_api(account)
    id = api.run("svc_certs_save_template", name="Sailing")["id"]
    ready = Barrier(6)

    def issue(number: int) -> dict[str, object]:
        try:
            ready.wait(60)
            people = [f"{number} of {place}" for place in range(7)]
            # two of them are the same call, sent twice
            key = f"call-{min(number, 4)}"
            arguments = {"template_id": id, "recipients": people if number < 4 else ["x"]}
            status, body = api.post("certs/issue", arguments, **{"Idempotency-Key": key})
            return body["data"] if status == 200 else {"issued": 0, "did_not_fit": 0, "status": status}
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(issue, range(6)))
    certificates = Certificate.objects.filter(account=account)
    assert certificates.count() == 25
    assert certificates.filter(name="x").count() <= 1
    first = results[:4]
    assert sum(int(str(item["issued"])) + int(str(item["did_not_fit"])) for item in first) == 28
    assert api.run("svc_certs_templates")["left_this_month"] == 0
