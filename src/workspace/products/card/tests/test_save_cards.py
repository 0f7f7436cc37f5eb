"""A team's cards, created, changed and deleted in one call."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Upload
from workspace.products.card.models import Card
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.pictures import picture
from workspace.testing.samples.card import make_card

pytestmark = pytest.mark.django_db


def state(api: Api) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = api.run("svc_card_list")["items"]
    return [{**item, "updated_at": ""} for item in items]


def test_cards_are_created_changed_and_removed_together_and_undone_together(api: Api) -> None:
    ann, ben = make_card(api, 1), make_card(api, 2)
    before = state(api)
    items = [
        {
            "full_name": "Cleo",
            "theme": "bold",
            "color": "#8A1538",
            "consent_text": "We call you.",
            "links": ["x.com/c"],
        },
        {"id": ann["id"], "full_name": "Ann Lee", "title": "Chef"},
        {"full_name": "Dan"},
    ]
    saved = api.run("svc_card_save", items=items, remove=[ben["id"]])
    assert [saved[name] for name in ("added", "changed", "removed")] == [2, 1, 1]
    assert [card["full_name"] for card in saved["items"]] == ["Cleo", "Ann Lee", "Dan"]
    cleo = saved["items"][0]
    assert (cleo["theme"], cleo["color"], cleo["consent_text"]) == ("bold", "#8a1538", "We call you.")
    assert cleo["links"] == [{"url": "https://x.com/c", "label": "X"}]
    assert [card["full_name"] for card in state(api)] == ["Cleo", "Dan", "Ann Lee"]
    assert saved["change"]["before"][ann["id"]] == {"full_name": "Jane Doe 1", "title": ""}
    api.run("svc_undo")
    assert state(api) == before
    assert Card._base_manager.count() == 2, "of what was made and nobody saw nothing is left"


def test_repeating_a_list_reports_that_nothing_changed(api: Api) -> None:
    card = make_card(api)
    items = [{"id": card["id"], "title": "Chef", "photo_id": ""}]
    api.run("svc_card_save", items=items)
    _, body = api.post("card/save", {"items": items})
    assert body["text"].startswith("Nothing changed") and body["data"]["change"] is None
    _, body = api.post("card/edit", {"card_id": card["id"], "title": "Chef"})
    assert body["text"].startswith("**No changes") and body["data"]["change"] is None


def test_the_answer_lists_the_first_three_names(api: Api) -> None:
    _, body = api.post("card/save", {"items": [{"full_name": name} for name in ("Ann", "Ben", "Cleo", "Dan")]})
    assert body["text"].startswith("Added 4 business cards: Ann, Ben, Cleo and 1 more.")
    ids = [card["id"] for card in body["data"]["items"]]
    _, body = api.post("card/save", {"remove": ids[:1]})
    assert body["text"].startswith("Removed 1 business card.")
    _, body = api.post("card/delete", {"ids": ids[1:]})
    assert "3 business cards with all leads: Ben, Cleo, Dan." in body["text"]


def test_guests_see_the_changes(api: Api, client: Any) -> None:
    cards = [make_card(api, number) for number in range(2)]
    for card in cards:
        client.get(f"/c/{card['slug']}")
    api.run("svc_card_save", items=[{"id": card["id"], "company": "Noon"} for card in cards])
    assert all("Noon" in client.get(f"/c/{card['slug']}").content.decode() for card in cards)


@pytest.mark.parametrize(
    ("items", "remove", "path"),
    [
        (None, None, "items"),
        ([], [], "items"),
        ([{"title": "Chef"}], None, "items.0.full_name"),
        ([{"full_name": "Ann"}, {"full_name": "Ben", "color": "red"}], None, "items.1.color"),
        ([{"full_name": "Ann", "slug": "ann"}], None, "items.0.slug"),
        ([{"id": "CARD"}, {"id": "CARD", "title": "Chef"}], None, "items.1.id"),
        ([{"id": "CARD"}], ["CARD"], "remove.0"),
        ([{"full_name": "Ann"}, {"full_name": "Ben", "photo_id": "upl_none"}], None, "items.1.photo_id"),
        ([{"id": "CARD", "logo_id": "upl_none"}], None, "items.0.logo_id"),
        ([{"full_name": "Ann", "links": [{"url": "ftp://x"}]}], None, "items.0.links.0.url"),
    ],
)
def test_errors_are_reported_at_their_paths_and_nothing_is_changed(
    items: Any, remove: Any, path: str, api: Api
) -> None:
    card = make_card(api)["id"]
    for item in items or []:
        if item.get("id") == "CARD":
            item["id"] = card
    fields = {"items": items, "remove": [card] if remove else remove}
    before = state(api)
    body = api.refuse("svc_card_save", **{name: value for name, value in fields.items() if value is not None})
    assert [issue["path"] for issue in body["issues"]] == [path]
    assert state(api) == before


def test_an_unknown_id_is_reported_with_its_path(api: Api, stranger: Api) -> None:
    mine, theirs = make_card(api)["id"], make_card(stranger)["id"]
    for id in (theirs, "card_none", "lead_none"):
        body = api.refuse("svc_card_save", items=[{"id": mine, "title": "x"}, {"id": id}])
        assert body["error"] == "not_found" and body["message"].startswith("items.1.id: No business card has this ID")
        assert api.refuse("svc_card_save", remove=[mine, id])["message"].startswith("remove.1: ")
    assert api.run("svc_card_get", card_id=mine)["title"] == ""


def test_the_plans_limit_applies_and_removed_cards_do_not_count() -> None:
    api = make_api(make_account(card="free"))
    first = make_card(api)
    refused = api.refuse("svc_card_save", items=[{"full_name": "B"}, {"full_name": "C"}])
    assert refused["error"] == "tool_error" and "includes only 1 more card" in refused["message"]
    assert api.run("svc_card_list")["total"] == 1
    saved = api.run("svc_card_save", items=[{"full_name": "B"}, {"full_name": "C"}], remove=[first["id"]])
    assert saved["added"] == 2


def test_the_uses_of_images_are_counted_and_restored(api: Api) -> None:
    logo = api.run("svc_upload_file", content=picture())["upload_id"]
    face = api.run("svc_upload_file", content=picture())["upload_id"]
    made = api.run("svc_card_save", items=[{"full_name": f"C {n}", "logo_id": logo} for n in range(3)])["items"]
    uses = dict(Upload.objects.values_list("pk", "use_count"))
    assert (uses[logo], uses[face]) == (3, 0)
    changes = [{"id": made[0]["id"], "logo_id": face}, {"id": made[1]["id"], "logo_id": ""}, {"id": made[2]["id"]}]
    api.run("svc_card_save", items=changes)
    uses = dict(Upload.objects.values_list("pk", "use_count"))
    assert (uses[logo], uses[face]) == (1, 1)
    api.run("svc_undo")
    assert dict(Upload.objects.values_list("pk", "use_count")) == {logo: 3, face: 0}
    assert [api.run("svc_card_get", card_id=card["id"])["logo_id"] for card in made] == [logo] * 3


def queries(api: Api, **arguments: Any) -> tuple[int, Any]:
    with CaptureQueriesContext(connection) as queries:
        saved = api.run("svc_card_save", **arguments)
    return len(queries), saved


def test_sixty_cards_need_no_more_queries_than_three(api: Api) -> None:
    counts: list[list[int]] = []
    for many in (3, 60):
        logo = api.run("svc_upload_file", content=picture())["upload_id"]
        made, saved = queries(api, items=[{"full_name": f"C {n}", "logo_id": logo} for n in range(many)])
        ids = [card["id"] for card in saved["items"]]
        changed, _ = queries(api, items=[{"id": id, "title": f"T {id}", "logo_id": ""} for id in ids])
        removed, _ = queries(api, remove=ids)
        with CaptureQueriesContext(connection) as undone:
            api.run("svc_undo")
        counts.append([made, changed, removed, len(undone)])
    three, sixty = counts
    assert all(most - least <= 2 for least, most in zip(three, sixty, strict=True)), "SQLite makes two batches of them"


def test_a_copy_gets_the_fields_that_are_not_given_and_no_leads(api: Api) -> None:
    model = {"company": "Corner Café", "title": "Baker", "theme": "bold", "given_name": "Ida", "links": ["example.com"]}
    [first] = api.run("svc_card_save", items=[{"full_name": "Ida M. Stern", **model}])["items"]
    same, other = api.run(
        "svc_card_save",
        items=[{"copy_of": first["slug"]}, {"copy_of": first["id"], "full_name": "Otto Wolf", "title": "Cook"}],
    )["items"]
    told = ("full_name", "given_name", "title", "company", "theme", "links", "lead_count")
    assert {name: same[name] for name in told} == {name: first[name] for name in told}
    assert [other[name] for name in ("full_name", "given_name", "title", "company", "theme")] == [
        "Otto Wolf", "Otto", "Cook", "Corner Café", "bold",
    ]  # fmt: skip
    assert len({first["slug"], same["slug"], other["slug"]}) == 3
    refused = api.refuse("svc_card_save", items=[{"id": first["id"], "copy_of": same["id"]}])
    assert "items.0.copy_of" in str(refused)
