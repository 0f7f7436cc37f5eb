"""Lists: their envelope, their pages, and their number of queries."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.across.samples import LISTS, SAMPLES
from workspace.interfaces.tool_catalog import CATALOG
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
PAGED = [
    tool.name
    for tool in CATALOG
    if {"total", "items"} <= set(tool.output_schema.get("properties", {})) and "limit" in tool.arguments.model_fields
]

OF_ALL = {"svc_qr_export": {"kind": "codes"}}  # if the sample's kind needs an id
EXPORTS = [tool.name for tool in CATALOG if tool.reads and "file_name" in tool.output_schema.get("properties", {})]


def test_every_paginated_list_has_a_factory() -> None:
    assert set(PAGED) <= set(LISTS)


def _arguments(name: str, made: dict[str, str]) -> dict[str, object]:
    """Return only the required arguments, such as the parent's id, and no filters."""
    required = CATALOG.by_name[name].input_schema.get("required", [])
    return {key: value for key, value in SAMPLES[name](made).items() if key in required}


def _count_queries(queries: CaptureQueriesContext) -> int:
    """Return the number of queries without the write of the quota, which one of twenty calls does."""
    return sum("rate_limits_callquota" not in query["sql"] for query in queries.captured_queries)


@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_list_takes_the_same_queries_for_one_and_for_three_rows(
    name: str, furnished: tuple[Api, dict[str, str]]
) -> None:
    api, made = furnished
    arguments = _arguments(name, made)
    LISTS[name](api, 1)
    counts = []
    for more in (0, 2):
        for number in range(more):
            LISTS[name](api, 10 + number)
        with CaptureQueriesContext(connection) as queries:
            api.run(name, **arguments)
        counts.append(_count_queries(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_takes_the_same_queries_for_few_and_for_more_rows(
    name: str, furnished: tuple[Api, dict[str, str]]
) -> None:
    api, made = furnished
    arguments = {**_arguments(name, made), **OF_ALL.get(name, {})}
    makers = [make for other, make in LISTS.items() if other.split("_")[1].startswith(name.split("_")[1])]
    api.run(name, **arguments)  # the first call of the process loads the salt of the rate limits
    counts = []
    for numbers in (range(1, 2), range(10, 13)):
        for number in numbers:
            for make in makers:
                make(api, number)
        with CaptureQueriesContext(connection) as queries:
            api.run(name, **arguments)
        counts.append(_count_queries(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", PAGED)
def test_a_list_is_ordered_by_its_query(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    arguments = _arguments(name, made)
    with CaptureQueriesContext(connection) as queries:
        api.run(name, **arguments)
    pages = [query["sql"] for query in queries if "LIMIT 50" in query["sql"]]
    assert pages, "a page is cut by the database"
    assert all("ORDER BY" in sql for sql in pages), "without an order, pages may repeat and leave out rows"


@pytest.mark.parametrize("name", PAGED)
def test_the_pages_of_a_list_contain_every_row_once(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    arguments = _arguments(name, made)
    for number in range(4):
        LISTS[name](api, number)
    total = api.run(name, **arguments)["total"]
    assert total >= 4
    seen, offset = [], 0
    while True:
        page = api.run(name, **arguments, limit=2, offset=offset)
        assert (page["total"], page["offset"], page["count"]) == (total, offset, len(page["items"]))
        seen += [item["id"] for item in page["items"]]
        offset += page["count"]
        if not page["has_more"]:
            break
    assert len(seen) == len(set(seen)) == total
    beyond = api.run(name, **arguments, offset=99)
    assert (beyond["items"], beyond["has_more"], beyond["total"]) == ([], False, total)


@pytest.mark.parametrize("name", PAGED)
@pytest.mark.parametrize(("limit", "offset", "path"), [(0, 0, "limit"), (201, 0, "limit"), (1, -1, "offset")])
def test_invalid_page_arguments_are_refused_at_their_path(
    name: str, limit: int, offset: int, path: str, furnished: tuple[Api, dict[str, str]]
) -> None:
    api, made = furnished
    body = api.refuse(name, **_arguments(name, made), limit=limit, offset=offset)
    assert body["error"] == "invalid_input"
    assert [issue["path"] for issue in body["issues"]] == [path]
