"""Each API key is limited to the products selected on its page, on every channel."""

from __future__ import annotations

import re

from workspace.accounts.models import Account, ApiKey, Membership
from workspace.interfaces.account_pages.tests.test_api_key_views import make_key
from workspace.products import list_manifests
from workspace.testing.api import Api
from workspace.testing.sign_in import make_person, sign_in, work_in

ALL = [product.key for product in list_manifests()]


def ticked(page: bytes) -> list[str]:
    return re.findall(r'name="products" value="(\w+)" checked', page.decode())


def test_a_key_has_all_products_until_its_owner_selects_some(browser):
    api = Api(Account.objects.get(), make_key(browser))
    key = ApiKey.objects.get()
    path = f"/app/keys/{key.pk}"
    assert ticked(browser.get(path).content) == ALL and api.get("card/list")[0] == 200
    browser.post(path, {"asked_for_products": "1", "products": ["qr", "menu"]})
    assert ticked(browser.get(path).content) == ["qr", "menu"]
    assert "QR codes and QR menus" in browser.get("/app/keys").content.decode()
    assert api.get("qr/list")[0] == 200 and api.get("me")[0] == 200
    status, body = api.get("card/list")
    assert (status, body["error"]) == (403, "forbidden") and path in body["message"]
    browser.post(path, {"asked_for_products": "1", "products": ALL})
    key.refresh_from_db()
    assert key.products is None and api.get("card/list")[0] == 200


def test_only_the_owner_edits_a_key_and_only_until_it_is_revoked(browser):
    make_key(browser)
    account = Account.objects.get()
    path = f"/app/keys/{ApiKey.objects.get().pk}"
    member = make_person("bea@example.com")
    Membership.objects.create(account=account, person=member, role=Membership.EDITOR)
    theirs = sign_in(member)
    assert theirs.get(path).status_code == 404
    work_in(theirs, account)
    assert theirs.get(path).status_code == theirs.post(path, {"asked_for_products": "1"}).status_code == 403
    assert ApiKey.objects.get().products is None
    browser.post(f"{path}/revoke")
    assert browser.get(path).status_code == 404
