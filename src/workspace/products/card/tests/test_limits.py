"""The limit of cards per plan, which holds for concurrent calls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from workspace.products.card.models import Card
from workspace.testing.api import make_account, make_api
from workspace.testing.samples.card import make_card


@pytest.mark.django_db
@pytest.mark.parametrize(("plan", "most"), [("free", 2), ("pro", 10)])
def test_a_plan_limits_cards_and_a_deletion_frees_a_place(plan: str, most: int) -> None:
    api = make_api(make_account(card=plan))
    cards = [make_card(api, number) for number in range(most)]
    body = api.refuse("svc_card_create", full_name="One More")
    assert body["error"] == "tool_error" and str(most) in body["message"]
    api.run("svc_card_delete", ids=[cards[0]["id"]])
    make_card(api)


@pytest.mark.django_db
def test_the_team_plan_has_no_limit() -> None:
    api = make_api(make_account(card="team"))
    for number in range(12):
        make_card(api, number)
    assert api.run("svc_card_list")["total"] == 12


@pytest.mark.django_db(transaction=True)
def test_the_limit_holds_for_concurrent_calls() -> None:
    account = make_account(card="free")

    def create_card(number: int) -> int:
        try:
            return make_api(account).post("card/create", {"full_name": f"Jane {number}"})[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(pool.map(create_card, range(6)))
    assert statuses == [200] * 2 + [400] * 4
    assert Card.objects.count() == 2
