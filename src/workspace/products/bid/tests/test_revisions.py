"""A draft is changed in place, a sent proposal gets revisions, and undo works only until the client has opened it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.audit_trail.canonical_json import hash_text
from workspace.products.bid.domain import read_receipts
from workspace.products.bid.domain.decisions import ProposalChangedError
from workspace.products.bid.domain.revision_diff import describe_changes
from workspace.products.bid.models import Proposal, Revision, Template
from workspace.products.bid.tests.clients import approve, get_opened
from workspace.public_site.guest_page import guest_transaction
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.bid import OFFER, make_bid, make_sent

pytestmark = pytest.mark.django_db


def now(api: Api, id: str) -> Any:
    return api.run("svc_bid_get", id=id)


def test_a_draft_stays_revision_1_and_each_edit_after_sending_creates_another(api: Api) -> None:
    draft = make_bid(api)
    api.run("svc_bid_edit", id=draft["id"], title="Better")
    assert not Revision.objects.exists() and now(api, draft["id"])["revision"] == 1
    link = api.run("svc_bid_share_link", id=draft["id"], mark_sent=True)["public_url"]
    api.run("svc_bid_edit", id=draft["id"], tax_rate=10)
    api.run("svc_bid_edit", id=draft["id"], client_name="Bea")
    result = now(api, draft["id"])
    assert (result["revision"], result["status"], result["public_url"]) == (2, "sent", link), "a name is no revision"
    first, second = Revision.objects.order_by("number")
    assert hash_text(second.body) == second.hash == result["revisions"][1]["hash"] != first.hash
    assert "Ada" not in first.body and "ada@" not in first.body, "whom it is for stands elsewhere"
    said = describe_changes(Proposal.objects.get(), 1, 2, "en")
    assert "The tax changed" in said and said[-1].startswith("Total: $")
    api.run("svc_bid_edit", id=draft["id"], title="In euros", currency="EUR", tax_label="VAT")
    said = describe_changes(Proposal.objects.get(), 2, 3, "en")
    assert said[:2] == ["The title changed", "The tax changed"]
    assert said[2].startswith("Total: €") and "(was $" in said[2], "the same number of another currency"


def test_an_edit_can_be_undone_until_its_client_has_opened_it(api: Api) -> None:
    bid = make_sent(api)
    before = now(api, bid["id"])
    edited = api.run("svc_bid_edit", id=bid["id"], line_items=[{"name": "All in", "unit_price": 999}])["change"]["id"]
    undone = api.run("svc_undo", change_id=edited)
    after = now(api, bid["id"])
    assert {**after, "updated_at": ""} == {**before, "updated_at": ""} and undone
    edited = api.run("svc_bid_edit", id=bid["id"], title="Seen")["change"]["id"]
    with guest_transaction(get_opened(bid["id"]).publication_id):
        read_receipts.record_revision_view(get_opened(bid["id"]), get_opened(bid["id"]).revision_hash, "mobile")
    assert api.refuse("svc_undo", change_id=edited)["error"] == "conflict"


def test_sending_can_be_undone_until_its_client_has_opened_it_and_never_after_an_approval(api: Api) -> None:
    bid = make_bid(api)
    sent = api.run("svc_bid_share_link", id=bid["id"], mark_sent=True)["change"]["id"]
    api.run("svc_undo", change_id=sent)
    assert now(api, bid["id"])["status"] == "draft" and not Revision.objects.exists()
    edited = api.run("svc_bid_edit", id=bid["id"], title="Fine")["change"]["id"]
    sent = api.run("svc_bid_share_link", id=bid["id"], mark_sent=True)["change"]["id"]
    approve(get_opened(bid["id"]))
    assert api.refuse("svc_undo", change_id=sent)["error"] == "conflict"
    assert api.refuse("svc_undo", change_id=edited)["error"] == "conflict"
    assert now(api, bid["id"])["title"] == "Fine"


def test_decided_proposals_are_archived_and_others_moved_to_the_bin(api: Api) -> None:
    agreed, other = make_sent(api), make_sent(api, 1)
    approve(get_opened(agreed["id"]))
    change = api.run("svc_bid_delete", ids=[agreed["id"], other["id"]])["change"]["id"]
    assert api.run("svc_bid_list")["total"] == 0
    assert now(api, agreed["id"])["archived"] is True
    assert api.refuse("svc_bid_get", id=other["id"])["error"] == "not_found"
    api.run("svc_undo", change_id=change)
    assert api.run("svc_bid_list")["total"] == 2


def test_numbers_count_by_account_and_a_free_plan_has_five_a_month() -> None:
    api = make_api(make_account(quote="free"))
    made = [make_bid(api, number) for number in range(5)]
    assert [item["number"] for item in made] == [1, 2, 3, 4, 5]
    for act, fields in (("create", {"title": "More"}), ("copy", {"id": made[0]["id"]})):
        assert "5 proposals a month" in api.refuse(f"svc_bid_{act}", **fields)["message"]
    deleted = api.run("svc_bid_delete", ids=[made[0]["id"]])["change"]["id"]
    assert "5 proposals a month" in api.refuse("svc_bid_create", title="More")["message"]
    api.run("svc_undo", change_id=deleted)
    assert api.run("svc_bid_list")["total"] == 5
    Proposal.objects.filter(pk=made[4]["id"]).delete()  # as after a long time in the bin
    assert make_bid(api)["number"] == 6, "no number comes twice"


def test_a_copy_has_the_offer_and_not_the_client(api: Api) -> None:
    bid = make_bid(api)
    template = api.run("svc_bid_copy", id=bid["id"], kind="template", title="Party")
    assert template["total"] == bid["total"]
    for source in (bid["id"], template["id"]):
        result = now(api, api.run("svc_bid_copy", id=source, title="Once more")["id"])
        assert (result["title"], result["client_name"], result["client_email"]) == ("Once more", "", "")
        assert result["line_items"] == bid["line_items"] and result["totals"] == bid["totals"]


def test_a_picture_and_a_video_are_part_of_a_revision(api: Api) -> None:
    bid = make_sent(api, notes="")
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    upload = api.run("svc_upload_file", content=dot)["upload_id"]
    page = get_opened(bid["id"])
    api.run("svc_bid_edit", id=bid["id"], image_id=upload, video_url="video.example.com/our-work")
    html = Client().get(f"/p/{bid['slug']}").content.decode()
    assert f'src="/pictures/{upload}/768"' in html and 'href="https://video.example.com/our-work"' in html
    assert "The image changed" in html and "The video changed" in html
    with pytest.raises(ProposalChangedError):
        approve(page)
    assert '"image_id"' not in Revision.objects.get(number=1).body, "those without one keep the hash that they had"
    assert upload in Revision.objects.get(number=2).body
    copy = api.run("svc_bid_get", id=api.run("svc_bid_copy", id=bid["id"])["id"])
    assert (copy["image_id"], copy["video_url"]) == (upload, "https://video.example.com/our-work")
    api.run("svc_bid_copy", id=bid["id"], kind="template")
    assert upload not in str(Template.objects.get().content)
    refused = api.refuse("svc_bid_edit", id=bid["id"], video_url="javascript:alert(1)", image_id="upl_none")
    assert refused["issues"][0]["path"] == "video_url"


def test_the_result_of_get_can_be_passed_to_edit(api: Api) -> None:
    bid = make_bid(api, line_items=[{"name": "Leaflet", "quantity": 1234.5678, "unit_price": 0.035}])
    status, data = api.get(f"bid/get?id={bid['id']}")
    whole = data["data"]
    assert "Leaflet `l1`: 1234.5678 × $0.035" in data["text"], (status, "a text keeps every digit")
    assert [(item["what"], item["status"]) for item in whole["status_history"]] == [("made", "draft")]
    fields = {name: whole[name] for name in OFFER}
    assert api.run("svc_bid_edit", id=bid["id"], **fields)["change"] is None


def test_all_errors_are_reported_at_once_at_their_paths(api: Api) -> None:
    refused = api.refuse(
        "svc_bid_create",
        title="",
        line_items=[{"name": "A", "price": "12,50"}, {"qty": 2}, {"name": "B", "quantity": 2, "price": 5, "total": 9}],
        packages=[{"name": "P", "price": 1}, {"name": "Q"}],
        discount={"percent": 10, "amount": 5},
        tax_rate=101,
        valid_until="31.12.2026",
    )
    data = {issue["path"]: issue["message"] for issue in refused["issues"]}
    assert data["line_items.0.price"] == "Use a decimal point: 12.50."
    assert data["line_items.2.total"] == "9.00 is incorrect: 2 × 5.00 = 10.00. Correct or omit the total."
    assert data.keys() == {
        *("title", "line_items.0.price", "line_items.1.name", "line_items.1.unit_price", "line_items.2.total"),
        *("packages.1.price", "discount", "tax_rate", "valid_until"),
    }
    refused = api.refuse("svc_bid_create", title="Ok", line_items=[{"name": "\ue000", "unit_price": 1}])
    assert [issue["path"] for issue in refused["issues"]] == ["line_items.0.name"], "a letter that no paper can print"
