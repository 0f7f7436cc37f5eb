"""`svc_search` finds submissions, and every product's items by their words, but nothing of other accounts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.across.samples import things
from workspace.insights import search
from workspace.products import list_manifests
from workspace.products.menu.models import Item
from workspace.publishing import items as registry
from workspace.publishing.models import SearchDocument
from workspace.testing.api import Api
from workspace.testing.samples.card import submit_lead

pytestmark = pytest.mark.django_db


def search_titles(api: Api, q: str, **more: Any) -> list[str]:
    return [row["id"] for row in api.run("svc_search", q=q, **more)["items"]]


def card(api: Api, name: str, **more: Any) -> str:
    id: str = api.run("svc_card_create", full_name=name, **more)["id"]
    return id


def test_an_item_of_every_product_is_found_by_title_slug_and_url(api: Api, stranger: Api) -> None:
    known = registry.get_items(api.account, things(api).values())
    assert {one.kind for one in known.values()} == {product.key for product in list_manifests()}
    for one in known.values():
        slug = one.public_url.rpartition("/")[2]
        for q in (one.title, one.title.upper(), slug, one.public_url, one.id):
            assert one.id in search_titles(api, q), q
            assert search_titles(stranger, q) == []
        of_its_kind = search_titles(api, one.title, kinds=[one.kind])
        assert one.id in of_its_kind
        assert {found.kind for found in registry.get_items(api.account, of_its_kind).values()} == {one.kind}
        assert SearchDocument.objects.get(item_id=one.id).kind == one.kind


def test_a_result_contains_its_kind_and_its_page(api: Api) -> None:
    id = card(api, "Jane Doe")
    [row] = api.run("svc_search", q="jane")["items"]
    assert (row["id"], row["kind"], row["noun"], row["title"]) == (id, "card", "business card", "Jane Doe")
    assert row["page"].endswith(f"/app/card/{id}") and "/c/" in row["public_url"] and row["state"] == "live"


@pytest.mark.parametrize(
    ("name", "q"),
    [
        ("Café Größe", "GROSSE cafe"),
        ("Łukasz Øvergård", "lukasz overgard"),
        ("مَطْعَم القهوة", "القهوه مطعم"),
        ("特製ラーメン横丁", "ラーメン"),
        ("ｶﾌｪ", "カフェ"),
        ("50% off_today\\now", "50% off_today\\now"),
    ],
)
def test_words_are_found_in_every_spelling(name: str, q: str, api: Api) -> None:
    id = card(api, name)
    assert search_titles(api, q) == [id]


@pytest.mark.parametrize("q", ["%", "_", "J%", "\\", "jane nobody"])
def test_wildcards_are_literal_and_every_word_must_match(q: str, api: Api) -> None:
    card(api, "Jane Doe")
    assert search_titles(api, q) == []


def test_a_menu_is_found_by_its_dishes(api: Api) -> None:
    made = things(api)
    dish = Item.objects.get(pk=made["item"])
    assert search_titles(api, dish.name, kinds=["menu"]) == [dish.section.menu_id]


def test_a_changed_item_is_found_only_by_its_new_words(api: Api) -> None:
    id = card(api, "Jane Doe")
    api.run("svc_card_edit", card_id=id, full_name="Mary Major", slug="mary")
    assert (search_titles(api, "jane"), search_titles(api, "major"), search_titles(api, "mary")) == ([], [id], [id])
    api.run("svc_card_edit", card_id=id, full_name="Nobody Else", dry_run=True)
    assert search_titles(api, "nobody") == []
    api.run("svc_undo")
    assert (search_titles(api, "jane"), search_titles(api, "major")) == ([id], [])


def test_a_deleted_item_is_not_found_until_it_is_restored(api: Api) -> None:
    id = card(api, "Jane Doe")
    lead = submit_lead(id, name="Gustav")
    assert search_titles(api, "gustav") == [lead]
    api.run("svc_card_delete", ids=[id])
    assert (search_titles(api, "jane"), search_titles(api, "gustav"), SearchDocument.objects.count()) == ([], [], 0)
    api.run("svc_undo")
    assert (search_titles(api, "jane"), search_titles(api, "gustav")) == ([id], [lead])


def test_people_are_listed_after_items_and_not_after_their_deletion(api: Api) -> None:
    id = card(api, "Gustav Klimt")
    leads = [submit_lead(id, number, name=f"Gústav {number}", note="Catering for 40") for number in range(3)]
    assert search_titles(api, "gustav") == [id, *reversed(leads)]
    assert search_titles(api, "gustav", kinds=["lead"], limit=2, offset=1) == [leads[1], leads[0]]
    pages = [search_titles(api, "gustav", limit=2, offset=offset) for offset in (0, 2, 4)]
    assert pages == [[id, leads[2]], [leads[1], leads[0]], []]
    row = api.run("svc_search", q="catering 40 guest1@")["items"][0]
    assert (row["id"], row["kind"], row["thing_id"], row["email"]) == (leads[1], "lead", id, "guest1@example.com")
    api.run("svc_card_delete", ids=[leads[1]])
    assert search_titles(api, "guest1@example.com") == []


def test_a_title_that_starts_with_the_words_comes_first(api: Api) -> None:
    elsewhere = card(api, "Aaron", company="Bean")
    within = card(api, "Mr Bean")
    begins = card(api, "Bean Counter")
    assert search_titles(api, "bean") == [begins, within, elsewhere]


def test_an_unknown_kind_is_refused_with_the_known_ones(api: Api) -> None:
    refusal = api.refuse("svc_search", q="x", kinds=["card", "poem"])
    assert [issue["path"] for issue in refusal["issues"]] == ["kinds.1"]
    assert "lead" in refusal["issues"][0]["message"]
    for kind in search.list_kinds():
        assert search_titles(api, "x", kinds=[kind]) == []


def test_a_missing_search_index_is_rebuilt(api: Api) -> None:
    ids = {card(api, f"Jane {number}") for number in range(3)}
    gone = card(api, "Jane Gone")
    api.run("svc_card_delete", ids=[gone])
    SearchDocument.objects.all().delete()
    assert search.is_index_missing() and search_titles(api, "jane") == []
    assert search.rebuild_index() == 3
    assert set(search_titles(api, "jane")) == ids and not search.is_index_missing()


def test_new_items_of_all_kinds_are_indexed_as_a_rebuild_indexes_them(furnished: tuple[Api, dict[str, str]]) -> None:
    rows = SearchDocument.objects.order_by("pk").values_list("pk", "account", "kind", "item_id", "title", "text")
    written = list(rows)
    assert len({kind for _, _, kind, *_ in written}) == len(SearchDocument.builders)
    SearchDocument.objects.all().delete()
    search.rebuild_index()
    assert list(rows) == written


def test_all_items_of_a_kind_are_listed_by_name_or_by_last_change(api: Api) -> None:
    zoe, adam, mia = (card(api, name) for name in ("Zoë", "adam", "Mia"))
    assert search_titles(api, "", kinds=["card"]) == [adam, mia, zoe]
    assert search_titles(api, "", kinds=["card"], sort="name", limit=1, offset=1) == [mia]
    for id in (adam, zoe):
        api.run("svc_card_edit", card_id=id, title="Baker")
    assert search_titles(api, "", kinds=["card"], sort="changed") == [zoe, adam, mia]
    assert search_titles(api, "baker", kinds=["card"], sort="name") == [adam, zoe]
    assert all(row["kind"] == "card" for row in api.run("svc_search", q="")["items"])


def test_guests_of_charts_are_found_by_name_party_email_and_phone(api: Api, stranger: Api) -> None:
    chart = api.run("svc_seat_create", title="Gala")["chart"]["id"]
    people = [
        {"name": "Zoë Ångström", "party": "Bergs", "email": "zoe@example.com", "phone": "+43 664 1234567"},
        {"name": "Guest of Zoë", "placeholder": True},
    ]
    id = api.run("svc_seat_add_guests", event_id=chart, guests=people)["items"][0]["id"]
    for q in ("angstrom zoe", "BERGS", "zoe@example", "zoe gala"):
        assert search_titles(api, q, kinds=["guest"]) == ([] if "gala" in q else [id]), q
    assert search_titles(api, "1234567") == [id] and search_titles(api, "0664123") == [id]
    assert search_titles(stranger, "zoe") == []
    [row] = api.run("svc_search", q="zoë å")["items"]
    assert (row["kind"], row["note"], row["thing_id"]) == ("guest", "Gala", chart) and "at" not in row
    assert row["page"].endswith(f"/app/seat/{chart}/guest/{id}")
    api.run("svc_seat_delete", ids=[chart])
    assert search_titles(api, "zoe") == []
