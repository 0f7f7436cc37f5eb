"""A team on two phones: an owner invites a member by email, who signs up by the invitation.

The member views everything and cannot use actions without permission, becomes an editor, and is removed. Each step is
emailed and listed in the activity.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.mail_server import link_in, mailed, receiving_mail, text_of
from tests.browser.pages import PHONE, assert_accessible
from tests.browser.test_menu_story import signed_in
from workspace.testing.service import Service
from workspace.testing.smtp_sink import Peer

OWNER, MEMBER = "gino@example.com", "bea@example.com"


@pytest.fixture
def post() -> Iterator[Peer]:
    with receiving_mail() as (peer, settings):
        peer.settings = settings  # type: ignore[attr-defined]
        yield peer


@pytest.fixture
def service(post: Peer) -> Iterator[Service]:
    found = Service(**post.settings)  # type: ignore[attr-defined]
    found.migrate().start()
    try:
        yield found
    finally:
        found.stop()


def test_a_member_is_invited_views_edits_and_is_removed(
    service: Service, post: Peer, phone: Page, chromium: Browser
) -> None:
    owner = phone
    key = signed_in(service, owner, OWNER)
    card = service.api(key, "svc_card_create", full_name="Gino Rossi")["id"]
    _invited(service, owner)
    context = chromium.new_context(viewport=PHONE, device_scale_factor=2, locale="en-GB", reduced_motion="reduce")
    member = context.new_page()
    member.set_default_timeout(60_000)
    try:
        _joins(service, post, member)
        _looks_only(service, member, card)
        _change_role(service, owner, "Editor")
        told = text_of(mailed(post, MEMBER, "Your role in Trattoria Gino has changed", owner))
        assert "view and edit everything" in told
        member.goto(f"{service.url}/app/card/new")
        member.get_by_label("Name", exact=True).fill("Bea Berg")
        member.get_by_role("button", name="Create card").click()
        member.wait_for_url("**/app/card/card_*")
        owner.goto(f"{service.url}/app/members")
        owner.get_by_role("link", name=f"Remove {MEMBER}").click()
        owner.get_by_role("button", name="Remove member").click()
        expect(owner.locator(".toasts")).to_contain_text("removed.")
        assert "no longer have access" in text_of(mailed(post, MEMBER, "You were removed from Trattoria Gino", owner))
        assert (member.goto(f"{service.url}/app/card/{card}") or 0).status == 404  # type: ignore[union-attr]
        expect(member.locator("body")).not_to_contain_text("Trattoria Gino")
        member.goto(f"{service.url}/app")
        expect(member.locator("body")).to_contain_text("Bea Berg")  # their own account remains
    finally:
        context.close()
    owner.goto(f"{service.url}/app/activity?tool=members")
    for line in ("Removed bea", "Changed the role of bea", "accepted the invitation", "Invited bea"):
        expect(owner.locator("main")).to_contain_text(line)
    owner.get_by_label("Action").select_option(label="All")
    owner.get_by_role("button", name="Apply filters").click()
    expect(owner.locator("main")).to_contain_text("Bea Berg")
    expect(owner.locator("main")).to_contain_text("Signed in by")
    assert_accessible(owner)


def _invited(service: Service, page: Page) -> None:
    page.goto(f"{service.url}/app/members")
    assert_accessible(page)
    page.get_by_role("link", name="Invite member").click()
    page.get_by_label("Email address").fill(MEMBER)
    page.get_by_role("radio", name="Viewer").check()
    assert_accessible(page)
    page.get_by_role("button", name="Send invitation").click()
    expect(page.locator(".toasts")).to_contain_text("Invitation sent to")


def _joins(service: Service, post: Peer, page: Page) -> None:
    invitation = mailed(post, MEMBER, "Invitation to join Trattoria Gino", page)
    assert "view everything, but not make changes" in text_of(invitation)
    page.goto(link_in(invitation))
    assert_accessible(page)
    page.get_by_role("link", name="Create account").click()
    expect(page.get_by_label("Email address")).to_have_value(MEMBER)
    expect(page.get_by_label("Business name")).to_have_count(0)
    page.get_by_label("Your name").fill("Bea Berg")
    page.get_by_label("Password").fill("many words in a row")
    assert_accessible(page)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("We sent a link to")).to_be_visible()
    page.goto(link_in(mailed(post, MEMBER, "onfirm", page)))
    page.get_by_role("button", name="Confirm address").click()
    page.get_by_role("button", name="Accept invitation").click()
    expect(page.get_by_text("Welcome to Trattoria Gino.")).to_be_visible()


def _looks_only(service: Service, page: Page, card: str) -> None:
    page.goto(f"{service.url}/app/card")
    expect(page.locator("main")).to_contain_text("Gino Rossi")
    expect(page.get_by_role("link", name="New card")).to_have_count(0)
    page.goto(f"{service.url}/app/card/{card}")
    expect(page.get_by_label("Name", exact=True)).to_be_disabled()
    pressable = page.locator("main button:enabled").evaluate_all(
        "all => all.filter(one => one.form && one.form.method === 'post').map(one => one.textContent)"
    )
    assert pressable == []
    assert_accessible(page)
    for path in ("/app/members/invite", "/app/keys/new", "/app/account/close"):  # opened by their URLs
        answer = page.goto(f"{service.url}{path}")
        assert answer is not None and answer.status == 403, path
        expect(page.locator("main")).to_contain_text("owner")
        assert_accessible(page)


def _change_role(service: Service, page: Page, role: str) -> None:
    page.goto(f"{service.url}/app/members")
    expect(page.locator("main")).to_contain_text("Bea Berg")
    page.get_by_role("link", name=f"Change role of {MEMBER}").click()
    page.get_by_role("radio", name=role).check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toasts")).to_contain_text("Role of bea")
