"""The benchmark that grows an instance copies one account many times with unique values."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.accounts.models import Account, Person
from workspace.products.card.models import Card
from workspace.products.qr.models import Code
from workspace.publishing.models import Visit, VisitCounter
from workspace.testing.service import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_account_is_copied_a_hundred_times_with_its_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import database_growth

    monkeypatch.setattr(database_growth, "EACH", 2)
    template: Any = database_growth._template()
    database_growth._grow(template, 1, 60)
    database_growth._grow(template, 61, 100)
    assert [model.objects.count() for model in (Account, Person, Code, Card)] == [101] * 4
    assert Visit.objects.exists() and VisitCounter.objects.filter(publication_id="pub_g1x100").exists()
    assert len(set(Account.objects.values_list("invite_code", flat=True))) == 101
