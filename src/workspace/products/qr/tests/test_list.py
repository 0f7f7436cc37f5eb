"""Listing and searching codes."""

from __future__ import annotations

import pytest

from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def make_code(api: Api, name: str, target: str = "example.com", folder: str | None = None) -> dict:
    return api.run("svc_qr_create", name=name, target_url=target, folder=folder)


def names(api: Api, **query: object) -> list[str]:
    return [row["name"] for row in api.run("svc_qr_list", **query)["items"]]


def test_the_newest_code_comes_first(api: Api) -> None:
    for name in ("One", "Two", "Three"):
        make_code(api, name)
    assert names(api) == ["Three", "Two", "One"]


@pytest.mark.parametrize("q", ["café", "CAFE", "Café ", "fé me"])
def test_a_search_ignores_case_and_accents(q: str, api: Api) -> None:
    make_code(api, "Café Menu")
    make_code(api, "Flyer")
    assert names(api, q=q) == ["Café Menu"]


def test_a_search_includes_current_targets(api: Api) -> None:
    code = make_code(api, "Menu", "example.com/summer")
    assert names(api, q="SUMMER") == ["Menu"]
    api.run("svc_qr_update_target", id=code["id"], target_url="example.com/winter")
    assert names(api, q="summer") == [] and names(api, q="winter") == ["Menu"]


@pytest.mark.parametrize("q", ["%", "_", "\\", "'", '"', "*", "[a-z]"])
def test_wildcard_characters_are_searched_literally(q: str, api: Api) -> None:
    make_code(api, "Menu")
    make_code(api, f"Odd {q} name")
    assert names(api, q=q) == [f"Odd {q} name"]


def test_a_folder_narrows_the_list(api: Api) -> None:
    make_code(api, "Menu", folder="Tables")
    make_code(api, "Flyer", folder="Flyers")
    make_code(api, "Loose")
    assert names(api, folder="Tables") == ["Menu"]
    assert names(api, folder="tables") == []
    assert names(api, folder="") == ["Loose"]
    folders = [{"folder": "Flyers", "codes": 1}, {"folder": "Tables", "codes": 1}]
    assert api.run("svc_qr_list", folder="Tables")["folders"] == folders


def test_pages_follow_each_other_without_gaps(api: Api) -> None:
    for number in range(5):
        make_code(api, f"Code {number}")
    first, second, third = (api.run("svc_qr_list", limit=2, offset=offset) for offset in (0, 2, 4))
    assert [page["has_more"] for page in (first, second, third)] == [True, True, False]
    assert [row["name"] for page in (first, second, third) for row in page["items"]] == [
        f"Code {number}" for number in (4, 3, 2, 1, 0)
    ]
    beyond = api.run("svc_qr_list", offset=99)
    assert beyond == {"total": 5, "count": 0, "offset": 99, "has_more": False, "items": [], "folders": []}


def test_each_row_has_its_own_scans(api: Api) -> None:
    item, two = make_code(api, "One"), make_code(api, "Two")
    scan(item)
    scan(item)
    scan(two)
    assert [(row["name"], row["total_scans"]) for row in api.run("svc_qr_list")["items"]] == [("Two", 1), ("One", 2)]


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 201}, {"offset": -1}, {"limit": "x"}, {"limit": True}])
def test_invalid_page_arguments_are_refused(wrong: dict, api: Api) -> None:
    assert api.refuse("svc_qr_list", **wrong)["error"] == "invalid_input"


def test_codes_of_other_accounts_are_not_listed(api: Api, stranger: Api) -> None:
    make_code(stranger, "Theirs")
    assert names(api) == []
