"""Every list: its envelope, its pages, and the number of its queries."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.across.samples import SAMPLES, make_code
from workspace.interfaces.catalogue import CATALOGUE
from workspace.testing import Api

pytestmark = pytest.mark.django_db
LISTS = [tool.name for tool in CATALOGUE if {"total", "items"} <= set(tool.output_schema.get("properties", {}))]
MAKERS = {"svc_qr_list": make_code}


def test_every_list_has_a_maker() -> None:
    assert set(LISTS) == set(MAKERS)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_costs_the_same_queries_at_one_and_at_three_rows(name: str, api: Api) -> None:
    arguments = {key: value for key, value in SAMPLES[name]({}).items() if key == "limit"}
    counts = []
    for rows in (1, 3):
        while api.run(name, **arguments)["total"] < rows:
            MAKERS[name](api, rows)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert len(api.run(name, **arguments)["items"]) == rows
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", LISTS)
def test_pages_of_a_list_hold_every_row_once(name: str, api: Api) -> None:
    for number in range(5):
        MAKERS[name](api, number)
    seen, offset = [], 0
    while True:
        page = api.run(name, limit=2, offset=offset)
        assert (page["total"], page["offset"], page["count"]) == (5, offset, len(page["items"]))
        seen += [item["id"] for item in page["items"]]
        offset += page["count"]
        if not page["has_more"]:
            break
    assert len(seen) == len(set(seen)) == 5
    beyond = api.run(name, offset=99)
    assert (beyond["items"], beyond["has_more"], beyond["total"]) == ([], False, 5)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(("limit", "offset", "path"), [(0, 0, "limit"), (201, 0, "limit"), (1, -1, "offset")])
def test_a_page_beyond_the_bounds_is_refused_at_its_argument(
    name: str, limit: int, offset: int, path: str, api: Api
) -> None:
    body = api.refuse(name, limit=limit, offset=offset)
    assert body["error"] == "invalid_input"
    assert [issue["path"] for issue in body["issues"]] == [path]
