from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account, ApiKey, MemberInvitation, Membership, member_invitation
from workspace.lib import clock
from workspace.testing.api import make_api
from workspace.testing.sign_in import PASSWORD, extract_link, make_person, sign_in, work_in


@pytest.fixture
def account(person) -> Account:
    return Account.for_person(person)


def invite(browser: Client, mailoutbox: list, email: str = "bea@example.com", role: str = "editor", **more: str) -> str:
    answer = browser.post("/app/members/invite", {"email": email, "role": role, **more})
    assert answer.status_code == 302, answer.content.decode()
    # the test browser uses another host than the links in emails
    return extract_link(mailoutbox[-1])


def test_a_person_with_a_sign_in_accepts(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    assert mailoutbox[0].to == ["bea@example.com"] and account.name in mailoutbox[0].body
    bea = sign_in(make_person("bea@example.com", "Bea's Bar"))
    assert account.memberships.count() == 1
    assert "Accept invitation" in bea.get(link).content.decode()
    assert bea.post(link)["Location"] == "/app"
    assert account.memberships.get(person__email="bea@example.com").role == Membership.EDITOR
    # the new member works in that account from now on
    assert account.name in bea.get("/app/members").content.decode().replace("&#x27;", "'")
    # the link is valid once
    assert bea.post(link).status_code == 410


def test_a_new_person_signs_up_with_it_even_if_sign_up_is_closed(browser, account, mailoutbox, settings):
    settings.SIGNUP_OPEN = False
    link = invite(browser, mailoutbox)
    bea = Client()
    page = bea.get(link).content.decode()
    assert "/sign-up?next=%2Fjoin%2F" in page
    form = bea.get("/sign-up?next=/join/x").content.decode()  # an invited person is not asked about their business
    assert 'name="person"' in form and 'name="trade"' not in form and "Business name" not in form
    new = {"person": "Bea", "email": "bea@example.com", "password1": PASSWORD}
    assert "Use that address" in bea.post("/sign-up", new | {"email": "eve@example.com"}).content.decode()
    bea.post(f"/sign-up?next={link}", new)
    assert bea.post(extract_link(mailoutbox[-1]))["Location"] == link
    bea.post(link)
    assert account.memberships.count() == 2


def test_an_invitation_uses_a_place_until_it_expires(browser, account, mailoutbox, monkeypatch):
    monkeypatch.setattr(member_invitation, "MAX_MEMBERS", 2)
    invite(browser, mailoutbox)
    invite(browser, mailoutbox)  # a second invitation of the same person uses no additional place
    refused = browser.post("/app/members/invite", {"email": "cem@example.com", "role": "editor"})
    assert "at most 2 members. Remove one first." in refused.content.decode()
    assert [one.email for one in account.invitations.all()] == ["bea@example.com"]
    account.invitations.update(expires_at=clock.now())
    invite(browser, mailoutbox, "cem@example.com")
    assert [one.email for one in account.invitations.all()] == ["cem@example.com"]


def test_another_person_with_the_link_cannot_join(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    eve = sign_in(make_person("eve@example.com"))
    page = eve.get(link)
    assert page.status_code == 200 and "signed in as eve@example.com" in page.content.decode()
    eve.post(link)
    assert account.memberships.count() == 1


def test_an_unverified_email_does_not_count(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    bea = make_person("bea@example.com")
    visitor = sign_in(bea)
    bea.emailaddress_set.update(verified=False)
    visitor.post(link)
    assert account.memberships.count() == 1


def test_a_withdrawn_or_expired_invitation_is_invalid(browser, account, mailoutbox):
    link = invite(browser, mailoutbox)
    bea = sign_in(make_person("bea@example.com"))
    with time_machine.travel(clock.now() + timedelta(days=8)):
        assert Client().get(link).status_code == 410
    browser.post(f"/app/members/invitations/{MemberInvitation.objects.get().pk}/withdraw")
    assert bea.post(link).status_code == Client().get(link).status_code == 410
    assert account.memberships.count() == 1


def test_inviting_again_invalidates_the_earlier_link(browser, account, mailoutbox):
    first = invite(browser, mailoutbox)
    second = invite(browser, mailoutbox)
    assert (Client().get(first).status_code, Client().get(second).status_code) == (410, 200)


def test_a_member_cannot_be_invited_again(browser, person):
    answer = browser.post("/app/members/invite", {"email": person.email, "role": "editor"})
    assert answer.status_code == 422 and "already a member" in answer.content.decode()


def test_a_removed_member_loses_access_and_their_keys_stop_working(browser, account):
    bea = make_person("bea@example.com", "Bea's Bar")
    membership = Membership.objects.create(account=account, person=bea, role=Membership.EDITOR)
    _, secret = ApiKey.create(account, name="Bea's", by=bea)
    theirs = sign_in(bea)
    work_in(theirs, account)
    assert "Ada&#x27;s Bakery" in theirs.get("/app/account").content.decode()
    browser.post(f"/app/members/{membership.pk}/remove")
    assert ApiKey.find_live(secret) is None
    page = theirs.get("/app/account").content.decode()
    assert "Ada&#x27;s Bakery" not in page and "Bea&#x27;s Bar" in page


def test_the_last_owner_can_be_neither_removed_nor_demoted(browser, account):
    owner = account.memberships.get()
    assert "needs an owner" in browser.post(f"/app/members/{owner.pk}/remove", follow=True).content.decode()
    refused = browser.post(f"/app/members/{owner.pk}/role", {"role": "viewer"})
    assert refused.status_code == 422 and "needs an owner" in refused.content.decode()
    second = Membership.objects.create(account=account, person=make_person("cy@example.com"), role="owner")
    assert browser.post(f"/app/members/{owner.pk}/role", {"role": "viewer"}).status_code == 302
    assert browser.post(f"/app/members/{second.pk}/remove").status_code == 403  # effective immediately
    assert account.owner == second.person and account.memberships.count() == 2


def test_an_invitation_by_product_grants_these_products_and_its_role_can_be_changed(browser, account, mailoutbox):
    refused = browser.post("/app/members/invite", {"email": "bea@example.com", "role": "some"})
    assert refused.status_code == 422 and "Select at least one product" in refused.content.decode()
    link = invite(browser, mailoutbox, role="some", of_menu="editor", of_book="viewer")
    assert "Can edit: QR menus; Can view: Booking" in browser.get("/app/members").content.decode()
    bea = sign_in(make_person("bea@example.com"))
    bea.post(link)
    member = account.memberships.get(person__email="bea@example.com")
    assert (member.role, member.products) == ("some", {"menu": "editor", "book": "viewer"})
    assert bea.get("/app/menu").status_code == 200 and bea.get("/app/card").status_code == 403
    form = browser.get(f"/app/members/{member.pk}/role").content.decode()
    assert re.search(r'name="of_book".*?value="viewer" selected', form, re.DOTALL)
    browser.post(f"/app/members/{member.pk}/role", {"role": "viewer", "of_menu": "editor"})
    member.refresh_from_db()
    assert (member.role, member.products) == ("viewer", {})
    assert bea.post(f"/app/members/{member.pk}/role", {"role": "owner"}).status_code == 403
    told = [change.summary for change in account.changes.filter(tool="members")]
    by_product = "a member by product (Can edit: QR menus; Can view: Booking pages)"
    assert told == [
        f"Changed the role of bea@example.com from {by_product} to a viewer",
        f"bea@example.com accepted the invitation, as {by_product}",
        f"Invited bea@example.com as {by_product}",
    ]


def test_members_are_notified_of_role_changes_and_removal_in_the_language_of_the_business(browser, account, mailoutbox):
    make_api(account).run("svc_brand_edit", languages=["de"])
    link = invite(browser, mailoutbox, role="some", of_menu="editor")
    invited = mailoutbox[-1]
    assert (
        invited.subject == f"Einladung zur Mitarbeit bei {account.name}"
        and "ansehen und bearbeiten: QR menus" in invited.body
    )
    bea = sign_in(make_person("bea@example.com"))
    bea.post(link)
    member = account.memberships.get(person__email="bea@example.com")
    before = len(mailoutbox)
    for _ in range(2):  # the same role again sends no email
        browser.post(f"/app/members/{member.pk}/role", {"role": "viewer"})
    [told] = mailoutbox[before:]
    assert told.to == ["bea@example.com"] and told.reply_to == [account.owner.email]
    assert "ansehen, aber nichts ändern" in told.body and '<html lang="de">' in told.alternatives[0].content
    browser.post(f"/app/members/{member.pk}/remove")
    gone = mailoutbox[-1]
    assert gone.to == ["bea@example.com"] and gone.subject.startswith("Sie wurden aus dem Team von")
    [removed, changed, *_] = [change.summary for change in account.changes.filter(tool="members")]
    assert removed == "Removed bea@example.com, who was a viewer"
    assert changed.startswith("Changed the role of bea@example.com from a member by product (Can edit: QR menus")


def test_members_and_invitations_of_another_account_are_inaccessible(browser, account, mailoutbox):
    invite(browser, mailoutbox)
    bea = make_person("bea@example.com")
    membership = Membership.objects.create(account=account, person=make_person("cy@example.com"), role="editor")
    stranger = sign_in(bea)
    assert stranger.post(f"/app/members/{membership.pk}/remove").status_code == 404
    stranger.post(f"/app/members/invitations/{MemberInvitation.objects.get().pk}/withdraw")
    assert MemberInvitation.objects.count() == 1 and account.memberships.count() == 2
