"""Requests of a person to see or erase their data, answered by the owner."""

from __future__ import annotations

import json

import pytest

from workspace.accounts.models import Account, Change, MemberInvitation, Membership
from workspace.testing.api import make_api
from workspace.testing.sign_in import go_stale, make_person, sign_in, work_in

EMAIL = "gus@example.org"
ASKED = {"email": EMAIL, "phone": ""}


@pytest.fixture
def card(person):
    """Return the owner's card, which mentions a guest. The guest has a card too."""
    api = make_api(Account.for_person(person))
    api.run("svc_card_create", full_name="Gus Guest", email=EMAIL)
    MemberInvitation.create(api.account, EMAIL, person)
    return api.run("svc_card_create", full_name="Front Desk", bio=f"Ask {EMAIL}")


def test_stored_data_is_shown_and_nothing_is_changed(browser, card):
    page = browser.post("/app/account/privacy", ASKED).content.decode()
    assert "Gus Guest" in page and "Front Desk" in page and "is kept without the contact details" in page
    assert "Invitation · will be erased" in page
    assert MemberInvitation.objects.count() == 1


def test_the_data_is_exported_as_a_file(browser, card):
    answer = browser.post("/app/account/privacy/file", ASKED)
    assert answer["Content-Disposition"] == 'attachment; filename="person.json"'
    told = json.loads(answer.content)
    assert told["about"] == EMAIL
    own = next(one for one in told["known"] if one.get("full_name") == "Gus Guest")
    assert own["email"] == EMAIL
    desk = next(one for one in told["known"] if one.get("id") == card["id"])
    assert desk["named_in"] == {"bio": f"Ask {EMAIL}"}


def test_nothing_is_erased_without_confirmation(browser, card):
    answer = browser.post("/app/account/privacy/erase", ASKED)
    assert answer.status_code == 422 and "Confirm that you want to erase" in answer.content.decode()
    assert MemberInvitation.objects.count() == 1


def test_the_owners_own_items_are_anonymized_and_only_selected_ones_deleted(browser, card, person):
    account = Account.for_person(person)
    answer = browser.post("/app/account/privacy/erase", {**ASKED, "sure": "yes"}, follow=True)
    page = answer.content.decode()
    assert "Permanently erased" in page and EMAIL not in page
    assert {one.full_name: (one.email, one.bio) for one in account.cards.all()} == {
        "Gus Guest": ("", ""),
        "Front Desk": ("", "Ask [erased]"),
    }
    assert not MemberInvitation.objects.exists()
    done = Change.objects.filter(account=account).first()
    assert (done.channel, done.can_be_undone) == ("dashboard", False) and EMAIL not in done.summary


def test_a_selected_item_is_deleted_and_its_url_reports_it(browser, person):
    account = Account.for_person(person)
    gus = make_api(account).run("svc_card_create", full_name="Gus Guest", email=EMAIL)
    browser.post("/app/account/privacy/erase", {**ASKED, "sure": "yes", "thing": gus["id"]})
    assert not account.cards.exists()
    assert browser.get(f"/c/{gus['slug']}").status_code == 410


def test_an_undo_cannot_restore_erased_data(browser, card, person):
    api = make_api(Account.for_person(person))
    edit = api.run("svc_card_edit", card_id=card["id"], bio="")["change"]["id"]
    browser.post("/app/account/privacy/erase", {**ASKED, "sure": "yes"})
    assert "data was deleted" in api.refuse("svc_undo", change_id=edit)["message"]


@pytest.mark.parametrize("given", [{}, {"email": "gus"}, {"phone": "12"}, {"email": "gus@example.org", "phone": "x"}])
@pytest.mark.parametrize("path", ["", "/file", "/erase"])
def test_a_form_without_a_valid_person_is_shown_again(browser, given, path):
    assert browser.post(f"/app/account/privacy{path}", {**given, "sure": "yes"}).status_code == 422


def test_for_a_member_the_page_links_to_where_to_remove_them(browser, person):
    page = browser.post("/app/account/privacy", {"email": person.email.upper()}).content.decode()
    assert "Remove them under" in page


@pytest.mark.parametrize("path", ["", "/file", "/erase"])
def test_members_and_old_sign_ins_have_no_access(browser, person, card, path):
    member = make_person("bo@example.com")
    Account.for_person(person).memberships.create(person=member, role=Membership.EDITOR)
    other = sign_in(member)
    work_in(other, Account.for_person(person))
    assert other.post(f"/app/account/privacy{path}", {**ASKED, "sure": "yes"}).status_code == 403
    go_stale(browser)
    assert browser.post(f"/app/account/privacy{path}", {**ASKED, "sure": "yes"}).status_code == 302
    assert MemberInvitation.objects.count() == 1
