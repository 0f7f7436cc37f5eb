"""Leads as a file for spreadsheets, which run what looks like a formula."""

from __future__ import annotations

import csv
import io

import pytest

from workspace.products.card.tests.samples import leave, make_card
from workspace.testing import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def exported(api: Api, card_id: str) -> list[list[str]]:
    found = api.run("svc_card_export_leads", card_id=card_id)
    rows = list(csv.reader(io.StringIO(found["csv"])))
    assert found["rows"] == len(rows) - 1 and found["truncated"] is False
    assert found["file_name"].endswith(".csv")
    return rows


@pytest.mark.parametrize("formula", ["=HYPERLINK(1)", "+1", "-1+1", "@SUM(A1)", "\t=1", "\n=1"])
def test_no_cell_is_a_formula(formula: str, api: Api) -> None:
    card = make_card(api, company=formula.strip())
    leave(card["id"], name=formula, note=formula, phone=formula, email=formula)
    [_, row] = exported(api, card["id"])
    assert row[1:5] == [f"'{formula}"] * 4


def test_rows_are_whole_newest_first_and_in_the_accounts_time() -> None:
    api = make_api(make_account(time_zone="Asia/Kolkata"))
    card = make_card(api)
    leave(card["id"], 1, note='Says "hello",\nthen goes')
    leave(card["id"], 2)
    rows = exported(api, card["id"])
    assert rows[0] == ["submitted", "name", "email", "phone", "note", "agreed to"]
    assert [row[1] for row in rows[1:]] == ["Guest 2", "Guest 1"]
    assert rows[2][4] == 'Says "hello",\nthen goes'
    assert all(row[0].endswith("+05:30") for row in rows[1:])
    assert rows[1][5] == "Jane Doe 0 may keep these details to get in touch with me."
