"""Permissions of every tool for every role, compared with one table, on every channel and page."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from tests.across.product_urls import owners, samples_of
from workspace.accounts import permissions, plans
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account, ApiKey, Change, Membership, Person
from workspace.accounts.permissions import BY_PRODUCT, EDITOR, OWNER, VIEWER, PermissionScope
from workspace.interfaces.tool_catalog import CATALOG
from workspace.products import PRODUCT_NAMES, list_manifests
from workspace.testing.api import Api, make_account, make_api

# The table, independent of the code: for tools outside of products, who may read and who may change.
WORDS = "me list_products my_apps activity undo upload_file jobs_get jobs_stop search overview leads brand_get"
EVERYBODYS = {"svc_find_tools", *(f"svc_{word}" for word in WORDS.split(" "))}
OF_OWNERS = {"svc_account_edit", "svc_account_export", "svc_account_import"}
SEVERAL = {"payments": {"book", "quote"}, "webhooks": {"waiver", "form"}, "calendars": {"book"}}
SEVERAL["contacts"] = {"book", "card", "form", "quote", "review", "waiver"}


def may(tool: Any, role: str, held: dict[str, str]) -> bool:
    if role == OWNER:
        return True
    if tool.name in OF_OWNERS:
        return False
    if role in (EDITOR, VIEWER):
        return tool.reads or role == EDITOR
    if tool.name in EVERYBODYS:
        return tool.reads or EDITOR in held.values()
    if tool.product == "account":
        return False
    enough = {EDITOR, VIEWER} if tool.reads else {EDITOR}
    return all(held.get(one) in enough for one in SEVERAL.get(tool.product, {tool.product}))


@pytest.mark.any_database
def test_every_tool_follows_the_table_for_every_role_and_product() -> None:
    keys = [key for key in plans.PRODUCTS if plans.is_built(key)]
    members = [(role, {}) for role in (OWNER, EDITOR, VIEWER, BY_PRODUCT, "", "member")]
    members += [(BY_PRODUCT, {key: role}) for key in keys for role in (EDITOR, VIEWER)]
    members += [(BY_PRODUCT, dict.fromkeys(keys, role)) for role in (EDITOR, VIEWER)]
    members += [(BY_PRODUCT, {one: EDITOR, other: VIEWER}) for one, other in pairwise(keys)]
    account = Account(name="Café")
    wrong = []
    for role, held in members:
        caller = Caller(account, permission_scope=PermissionScope.for_role(role, held))
        for tool in CATALOG:
            expected = role not in ("", "member") and may(tool, role, held)
            if expected is bool(caller.tool_denial_reason(tool)):
                wrong.append((tool.name, role, held))
    assert wrong == []
    # restrictions of the address, the key or its scope apply to every role
    assert all(Caller(account, can_write=False).tool_denial_reason(tool) for tool in CATALOG if not tool.reads)


def member_of(account: Account, role: str, held: dict[str, str] | None = None) -> Membership:
    person = Person.objects.create_user(f"{role}{Person.objects.count()}@example.com", name="Mika Member")
    return Membership.objects.create(account=account, person=person, role=role, products=held or {})


def browser_of(membership: Membership) -> Client:
    client = Client()
    client.force_login(membership.person)
    return client


def key_of(membership: Membership) -> Api:
    return Api(membership.account, ApiKey.create(membership.account, name="Theirs", by=membership.person)[1])


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_a_viewer_opens_every_page_and_submits_none_and_others_open_none(name: str, api: Api) -> None:
    made = samples_of(name).create_samples(api)
    product = next(one for one in list_manifests() if one.home == f"/app/{name}")
    owner, viewer = Client(), browser_of(member_of(api.account, VIEWER))
    owner.force_login(api.account.owner)
    other = browser_of(member_of(api.account, BY_PRODUCT, {"qr" if product.key != "qr" else "card": EDITOR}))
    before = Change.objects.count()
    for path in owners(name, made):
        seen, theirs = owner.get(path), viewer.get(path)
        assert theirs.status_code == seen.status_code, path
        if "text/html" in theirs.headers.get("Content-Type", ""):
            page = theirs.content.decode()
            for form in re.findall(r'<form\b[^>]*method="post"[^>]*>.{0,60}', page, re.DOTALL):
                assert "disabled" in form or 'action="/account/' in form or 'action="/app/switch' in form, (path, form)
        if seen.status_code != 405:
            assert other.get(path).status_code == 403, path
        for one in (viewer, other):
            sent = one.post(path)
            assert sent.status_code in (403, 405), (path, sent.status_code)
    assert Change.objects.count() == before


@pytest.mark.django_db
def test_pages_over_all_products_show_a_member_only_their_products(api: Api) -> None:
    made = {name: samples_of(name).create_samples(api) for name in ("card", "menu", "form")}
    ids = {name: {value for value in every.values() if isinstance(value, str)} for name, every in made.items()}
    api.run("svc_card_delete", ids=[api.run("svc_card_create", full_name="Binned Bo")["id"]])
    member = member_of(api.account, BY_PRODUCT, {"menu": VIEWER})
    theirs, browser = key_of(member), browser_of(member)
    titles = {one["title"]: one["kind"] for one in api.run("svc_search", q="", limit=100)["items"]}
    assert {"card", "menu", "form"} <= set(titles.values())

    assert {one["kind"] for one in theirs.run("svc_search", q="", limit=100)["items"]} == {"menu"}
    assert {one["kind"] for one in theirs.run("svc_overview")["by_kind"]} == {"menu"}
    assert theirs.run("svc_leads")["items"] == [] and theirs.run("svc_overview")["came_in"] == []
    assert {one["tool"].split("_")[1] for one in theirs.run("svc_activity", limit=100)["items"]} == {"menu"}
    for id in ids["card"]:
        assert theirs.refuse("svc_overview", thing=id)["error"] in ("not_found", "invalid_input")
        assert theirs.refuse("svc_search", q=id, kinds=["card"])["error"] == "invalid_input"
    last = Change.objects.filter(area="card").first()
    assert last is not None and theirs.refuse("svc_undo", change_id=last.pk)["error"] == "forbidden"
    for path in ("/app", "/app/search?q=", "/app/bin", "/app/check-in", "/app/tools", "/app/activity"):
        page = browser.get(path).content.decode()
        others = [title for title, kind in titles.items() if kind != "menu" and title in page]
        assert others == [] and "Binned Bo" not in page and 'href="/app/card' not in page, (path, others)
    for path in ("/app/plans", "/app/account/payments", "/app/account/brand", "/app/support", "/app/invite"):
        assert browser.get(path).status_code == 403, path


@pytest.mark.django_db
def test_a_reduced_role_applies_to_sessions_and_keys_at_once(api: Api) -> None:
    member = member_of(api.account, EDITOR)
    theirs, browser = key_of(member), browser_of(member)
    theirs.run("svc_card_create", full_name="Ada")
    assert browser.get("/app/card/new").status_code == 200
    member.change_role(VIEWER, {})
    assert theirs.refuse("svc_card_create", full_name="Bo")["error"] == "forbidden"
    assert theirs.run("svc_card_list")["total"] == 1
    assert "view-only access" in browser.get("/app/card/new").content.decode()
    assert 'href="/app/card/new"' not in browser.get("/app/card").content.decode()
    member.change_role(BY_PRODUCT, {"menu": EDITOR})
    assert theirs.refuse("svc_card_list")["error"] == "forbidden"
    assert browser.get("/app/card").status_code == 403
    status, answer = theirs.post("upload")
    assert (status, answer["error"]) == (400, "invalid_input")  # a member who can edit one product may upload pictures
    member.change_role(VIEWER, {})
    assert theirs.post("upload")[0] == 403
    member.remove()
    assert theirs.get("me")[0] == 401
    assert browser.get("/app").status_code == 403


@pytest.mark.django_db
def test_a_member_of_one_account_has_no_access_to_another(api: Api, stranger: Api) -> None:
    card = stranger.run("svc_card_create", full_name="Far Away")["id"]
    for role in (OWNER, EDITOR, VIEWER):
        member = member_of(api.account, role)
        assert key_of(member).refuse("svc_card_get", card_id=card)["error"] == "not_found"
        assert browser_of(member).get(f"/app/card/{card}").status_code == 404


@pytest.mark.django_db
def test_a_person_has_a_separate_role_in_each_account() -> None:
    first, second = make_account(name="First"), make_account(name="Second")
    viewer = member_of(first, VIEWER)
    editor = Membership.objects.create(account=second, person=viewer.person, role=EDITOR)
    assert key_of(viewer).refuse("svc_card_create", full_name="Ada")["error"] == "forbidden"
    key_of(editor).run("svc_card_create", full_name="Ada")
    # a key created by an administrator has no member, so no role applies
    make_api(first).run("svc_card_create", full_name="Ada")


@pytest.mark.any_database
def test_an_unknown_role_has_no_access() -> None:
    assert not any(
        PermissionScope("guest").can_access(whose)
        for whose in (*plans.PRODUCTS, permissions.SHARED, permissions.WHOLE_ACCOUNT, permissions.OWNERS)
    )
