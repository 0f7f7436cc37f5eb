"""The owner answers somebody who asks what is known of them, and who wants it erased."""

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
    """The owner's card, which names a guest, and the card of that guest."""
    api = make_api(Account.for_person(person))
    api.run("svc_card_create", full_name="Gus Guest", email=EMAIL)
    MemberInvitation.create(api.account, EMAIL, person)
    return api.run("svc_card_create", full_name="Front Desk", bio=f"Ask {EMAIL}")


def test_what_is_known_is_shown_and_nothing_is_touched(browser, card):
    page = browser.post("/app/account/person", ASKED).content.decode()
    assert "Gus Guest" in page and "Front Desk" in page and "stays, without the address" in page
    assert "Invitation, is erased" in page
    assert MemberInvitation.objects.count() == 1


def test_it_is_saved_as_a_file(browser, card):
    answer = browser.post("/app/account/person/file", ASKED)
    assert answer["Content-Disposition"] == 'attachment; filename="person.json"'
    told = json.loads(answer.content)
    assert told["about"] == EMAIL
    own = next(one for one in told["known"] if one.get("full_name") == "Gus Guest")
    assert own["email"] == EMAIL
    desk = next(one for one in told["known"] if one.get("id") == card["id"])
    assert desk["named_in"] == {"bio": f"Ask {EMAIL}"}


def test_without_being_sure_nothing_goes(browser, card):
    answer = browser.post("/app/account/person/erase", ASKED)
    assert answer.status_code == 422 and "Tick that you are sure" in answer.content.decode()
    assert MemberInvitation.objects.count() == 1


def test_of_the_owners_own_things_only_the_ticked_go_whole(browser, card, person):
    account = Account.for_person(person)
    answer = browser.post("/app/account/person/erase", {**ASKED, "sure": "yes"}, follow=True)
    page = answer.content.decode()
    assert "Erased for good" in page and EMAIL not in page
    assert {one.full_name: (one.email, one.bio) for one in account.cards.all()} == {
        "Gus Guest": ("", ""),
        "Front Desk": ("", "Ask [erased]"),
    }
    assert not MemberInvitation.objects.exists()
    done = Change.objects.filter(account=account).first()
    assert (done.channel, done.can_be_undone) == ("dashboard", False) and EMAIL not in done.summary


def test_what_is_ticked_goes_and_its_address_says_so(browser, person):
    account = Account.for_person(person)
    gus = make_api(account).run("svc_card_create", full_name="Gus Guest", email=EMAIL)
    browser.post("/app/account/person/erase", {**ASKED, "sure": "yes", "thing": gus["id"]})
    assert not account.cards.exists()
    assert browser.get(f"/c/{gus['slug']}").status_code == 410


def test_an_undo_cannot_bring_the_person_back(browser, card, person):
    api = make_api(Account.for_person(person))
    edit = api.run("svc_card_edit", card_id=card["id"], bio="")["change"]["id"]
    browser.post("/app/account/person/erase", {**ASKED, "sure": "yes"})
    assert "is erased" in api.refuse("svc_undo", change_id=edit)["message"]


@pytest.mark.parametrize("given", [{}, {"email": "gus"}, {"phone": "12"}, {"email": "gus@example.org", "phone": "x"}])
@pytest.mark.parametrize("path", ["", "/file", "/erase"])
def test_what_names_nobody_is_asked_again(browser, given, path):
    assert browser.post(f"/app/account/person{path}", {**given, "sure": "yes"}).status_code == 422


def test_a_member_is_told_where_to_be_removed(browser, person):
    page = browser.post("/app/account/person", {"email": person.email.upper()}).content.decode()
    assert "remove them under" in page


@pytest.mark.parametrize("path", ["", "/file", "/erase"])
def test_members_and_stale_sign_ins_are_kept_out(browser, person, card, path):
    member = make_person("bo@example.com")
    Account.for_person(person).memberships.create(person=member, role=Membership.EDITOR)
    other = sign_in(member)
    work_in(other, Account.for_person(person))
    assert other.post(f"/app/account/person{path}", {**ASKED, "sure": "yes"}).status_code == 403
    go_stale(browser)
    assert browser.post(f"/app/account/person{path}", {**ASKED, "sure": "yes"}).status_code == 302
    assert MemberInvitation.objects.count() == 1
