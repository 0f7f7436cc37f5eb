from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account, ApiKey, MemberInvitation, Membership, member_invitation
from workspace.interfaces.sign_in.tests.steps import PASSWORD, link_in, make_person, sign_in, work_in
from workspace.toolkit import clock


@pytest.fixture
def account(person) -> Account:
    return Account.of(person)


def invite(browser: Client, mailoutbox: list, email: str = "bea@example.com") -> str:
    answer = browser.post("/app/members/invite", {"email": email})
    assert answer.status_code == 302, answer.content.decode()
    # the tests' browser speaks to another host than the mail's base address
    return link_in(mailoutbox[-1])


def test_somebody_with_a_sign_in_accepts(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    assert mailoutbox[0].to == ["bea@example.com"] and account.name in mailoutbox[0].body
    bea = sign_in(make_person("bea@example.com", "Bea's Bar"))
    assert account.memberships.count() == 1
    assert "Accept" in bea.get(link).content.decode()
    assert bea.post(link)["Location"] == "/app"
    assert account.memberships.get(person__email="bea@example.com").role == Membership.MEMBER
    # and works there from now on
    assert account.name in bea.get("/app/members").content.decode().replace("&#x27;", "'")
    # once
    assert bea.post(link).status_code == 410


def test_somebody_new_signs_up_with_it_even_where_sign_up_is_closed(browser, account, mailoutbox, settings):
    settings.SIGNUP_OPEN = False
    link = invite(browser, mailoutbox)
    bea = Client()
    page = bea.get(link).content.decode()
    assert "/sign-up?next=%2Fjoin%2F" in page
    new = {"person": "Bea", "name": "Bea", "trade": "other", "email": "bea@example.com", "password1": PASSWORD}
    assert "Use that address" in bea.post("/sign-up", new | {"email": "eve@example.com"}).content.decode()
    bea.post(f"/sign-up?next={link}", new)
    assert bea.post(link_in(mailoutbox[-1]))["Location"] == link
    bea.post(link)
    assert account.memberships.count() == 2


def test_who_is_invited_takes_a_place_until_the_invitation_ends(browser, account, mailoutbox, monkeypatch):
    monkeypatch.setattr(member_invitation, "MAX_MEMBERS", 2)
    invite(browser, mailoutbox)
    invite(browser, mailoutbox)  # the same person again takes no second place
    refused = browser.post("/app/members/invite", {"email": "cem@example.com"})
    assert "up to 2 members: remove somebody first" in refused.content.decode()
    assert [one.email for one in account.invitations.all()] == ["bea@example.com"]
    account.invitations.update(expires_at=clock.now())
    invite(browser, mailoutbox, "cem@example.com")
    assert [one.email for one in account.invitations.all()] == ["cem@example.com"]


def test_another_person_with_the_link_does_not_get_in(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    eve = sign_in(make_person("eve@example.com"))
    page = eve.get(link)
    assert page.status_code == 200 and "signed in as eve@example.com" in page.content.decode()
    eve.post(link)
    assert account.memberships.count() == 1


def test_an_unverified_address_does_not_count(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    bea = make_person("bea@example.com")
    visitor = sign_in(bea)
    bea.emailaddress_set.update(verified=False)
    visitor.post(link)
    assert account.memberships.count() == 1


def test_a_withdrawn_or_old_invitation_is_over(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    bea = sign_in(make_person("bea@example.com"))
    with time_machine.travel(clock.now() + timedelta(days=8)):
        assert Client().get(link).status_code == 410
    browser.post(f"/app/members/invitations/{MemberInvitation.objects.get().pk}/withdraw")
    assert bea.post(link).status_code == Client().get(link).status_code == 410
    assert account.memberships.count() == 1


def test_inviting_again_ends_the_earlier_link(browser, account, mailoutbox):
    first = invite(browser, mailoutbox)
    second = invite(browser, mailoutbox)
    assert (Client().get(first).status_code, Client().get(second).status_code) == (410, 200)


def test_a_member_is_not_invited_again(browser, person):
    answer = browser.post("/app/members/invite", {"email": person.email})
    assert answer.status_code == 422 and "a member already" in answer.content.decode()


def test_a_removed_member_reaches_nothing_and_their_keys_stop(browser, account):
    bea = make_person("bea@example.com", "Bea's Bar")
    membership = Membership.objects.create(account=account, person=bea, role=Membership.MEMBER)
    _, secret = ApiKey.mint(account, name="Bea's", by=bea)
    theirs = sign_in(bea)
    work_in(theirs, account)
    assert "Ada&#x27;s Bakery" in theirs.get("/app/account").content.decode()
    browser.post(f"/app/members/{membership.pk}/remove")
    assert ApiKey.find(secret) is None
    page = theirs.get("/app/account").content.decode()
    assert "Ada&#x27;s Bakery" not in page and "Bea&#x27;s Bar" in page


def test_the_owner_is_not_removed(browser, account):
    owner = account.memberships.get()
    assert browser.post(f"/app/members/{owner.pk}/remove").status_code == 404


def test_members_and_invitations_of_another_account_are_out_of_reach(browser, account, mailoutbox):
    invite(browser, mailoutbox)
    bea = make_person("bea@example.com")
    membership = Membership.objects.create(account=account, person=make_person("cy@example.com"), role="member")
    stranger = sign_in(bea)
    assert stranger.post(f"/app/members/{membership.pk}/remove").status_code == 404
    stranger.post(f"/app/members/invitations/{MemberInvitation.objects.get().pk}/withdraw")
    assert MemberInvitation.objects.count() == 1 and account.memberships.count() == 2
