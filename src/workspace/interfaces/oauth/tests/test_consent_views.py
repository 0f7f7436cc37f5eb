from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts.models import Account, Membership, OAuthGrant, Person
from workspace.testing.api import make_account
from workspace.testing.oauth_client import CALLBACK, Flow, call_me, redirect_parameters, register, sign_in_browser

pytestmark = pytest.mark.django_db


def test_the_page_names_the_client_the_host_and_the_account(flow: Flow, account: Account) -> None:
    page = flow.request_authorization().content.decode()
    assert "Helper" in page
    assert "agent.example" in page
    assert account.name in page
    assert "This app is not verified" in page


def test_the_page_does_not_restrict_the_target_of_its_form(flow: Flow) -> None:
    assert "form-action" not in flow.request_authorization()["Content-Security-Policy"]


def test_a_visitor_is_sent_to_sign_in_and_returns(flow: Flow) -> None:
    response = Client().get("/oauth/authorize", flow.query())
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=/oauth/authorize")


def test_a_stale_sign_in_is_confirmed_first(flow: Flow, account: Account) -> None:
    account.owner.set_password("a long enough password")
    owner = account.owner
    owner.set_password("a long enough password")
    owner.save()
    browser = sign_in_browser(owner)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": 1.0}]
    session.save()
    response = Flow(browser, flow.client_id).request_authorization()
    assert response.status_code == 302
    assert "code=" not in response["Location"]
    assert response["Location"].startswith("/") and "oauth" in response["Location"]


def test_allowing_redirects_to_the_client_with_a_code_its_state_and_the_issuer(
    flow: Flow, account: Account, settings
) -> None:
    response = flow.allow(account)
    assert response["Location"].startswith(CALLBACK + "?")
    told = redirect_parameters(response)
    assert told["state"] == "st-1"
    assert told["iss"] == settings.BASE_URL
    assert len(told["code"]) >= 20


def test_the_code_is_stored_only_as_a_hash(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    assert list(OAuthGrant.objects.values_list("code", flat=True)) != [code]
    assert OAuthGrant.objects.get(code=code).account == account


def test_denying_informs_the_client(flow: Flow, account: Account, settings) -> None:
    told = redirect_parameters(flow.allow(account, decision="deny"))
    assert told == {"error": "access_denied", "state": "st-1", "iss": settings.BASE_URL}
    assert not OAuthGrant.objects.exists()


def test_a_form_of_another_site_grants_nothing(flow: Flow, account: Account) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = flow.browser.cookies
    response = Flow(browser, flow.client_id).allow(account)
    assert response.status_code == 403
    assert not OAuthGrant.objects.exists()


def test_a_person_with_two_accounts_selects_one_and_the_token_is_limited_to_it(flow: Flow, account: Account) -> None:
    second = make_account(name="Second Shop")
    Membership.objects.create(account=second, person=account.owner, role=Membership.EDITOR)
    page = flow.request_authorization().content.decode()
    assert account.pk in page and second.pk in page
    token = flow.tokens(second)["access_token"]
    assert call_me(token).json()["data"]["id"] == second.pk


def test_no_one_grants_more_than_their_role_and_each_call_checks_it_again(flow: Flow, account: Account) -> None:
    person = Person.objects.create_user("viewer@example.com")
    member = Membership.objects.create(account=account, person=person, role=Membership.VIEWER)
    theirs = Flow(sign_in_browser(person), flow.client_id)
    page = theirs.request_authorization().content.decode()
    assert 'value="write"' not in page and "have more permissions than you" in page
    token = theirs.tokens(account, access="write")["access_token"]  # requested although the page does not offer it

    def call_tool(name: str, /, **arguments: str) -> int:
        head = {"authorization": f"Bearer {token}"}
        sent = {"name": name, "arguments": arguments}
        return Client().post("/api/v1/call", sent, content_type="application/json", headers=head).status_code

    assert (call_tool("svc_card_list"), call_tool("svc_card_create", full_name="Ada")) == (200, 403)
    member.change_role(Membership.EDITOR, {})
    assert call_tool("svc_card_create", full_name="Ada") == 403  # only read access was granted then
    assert 'value="write"' in theirs.request_authorization().content.decode()
    token = theirs.tokens(account)["access_token"]
    assert call_tool("svc_card_create", full_name="Ada") == 200
    assert call_tool("svc_account_edit", name="Mine") == 403
    member.change_role(Membership.BY_PRODUCT, {"menu": Membership.EDITOR})
    assert (call_tool("svc_card_list"), call_tool("svc_menu_list")) == (403, 200)
    page = theirs.request_authorization().content.decode()
    assert 'value="menu"' in page and 'value="card"' not in page and 'value="write"' in page
    member.change_role(Membership.VIEWER, {})
    assert (call_tool("svc_card_list"), call_tool("svc_menu_create", restaurant_name="Lunch")) == (200, 403)
    # only the account in which the person may make changes offers write access
    Membership.objects.create(account=make_account(name="Own"), person=person, role=Membership.OWNER)
    page = theirs.request_authorization().content.decode()
    assert 'value="write"' in page and page.count("You have view-only access") == 1
    member.remove()
    assert call_tool("svc_card_list") == 401


@pytest.mark.parametrize("chosen", [None, "", "acc_none", "\x00", "x" * 500])
def test_an_account_of_another_person_cannot_be_selected(flow: Flow, chosen: str | None) -> None:
    foreign = make_account(name="Not Yours")
    response = flow.allow(foreign if chosen is None else chosen)
    assert response.status_code == 422
    assert not OAuthGrant.objects.exists()


@pytest.mark.parametrize(
    "redirect",
    ["https://evil.example/", CALLBACK + "/x", CALLBACK + "?a=1", "https://agent.example:444/callback"],
)
def test_an_unregistered_redirect_is_not_followed(flow: Flow, redirect: str) -> None:
    response = flow.request_authorization(redirect_uri=redirect)
    assert response.status_code == 400
    assert "unregistered address" in response.content.decode()


@pytest.mark.parametrize("port", [1, 33418, 65535])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_loopback_redirect_may_use_any_port(account: Account, host: str, port: int) -> None:
    client = register(redirect_uris=[f"http://{host}:8765/cb"])
    flow = Flow(sign_in_browser(account.owner), client["client_id"], callback=f"http://{host}:{port}/cb")
    assert flow.request_authorization().status_code == 200
    assert flow.tokens(account)["access_token"]


def test_a_custom_scheme_is_redirected_to(account: Account) -> None:
    client = register(redirect_uris=["cursor://anysphere.cursor-mcp/oauth/callback"])
    flow = Flow(sign_in_browser(account.owner), client["client_id"], "cursor://anysphere.cursor-mcp/oauth/callback")
    assert "an app on this device" in flow.request_authorization().content.decode()
    assert flow.allow(account)["Location"].startswith("cursor://anysphere.cursor-mcp/oauth/callback?code=")


def test_pkce_is_required(flow: Flow) -> None:
    assert (
        redirect_parameters(flow.request_authorization(code_challenge=None, code_challenge_method=None))["error"]
        == "invalid_request"
    )


@pytest.mark.parametrize("method", ["plain", None, "S512"])
def test_only_s256_is_accepted(flow: Flow, method: str | None) -> None:
    assert redirect_parameters(flow.request_authorization(code_challenge_method=method))["error"] == "invalid_request"


@pytest.mark.parametrize("wanted", ["https://other.example/mcp", "nonsense", "http://127.0.0.1:8000/mcp/other", ""])
def test_another_resource_is_refused(flow: Flow, wanted: str) -> None:
    assert redirect_parameters(flow.request_authorization(resource=wanted))["error"] == "invalid_target"


@pytest.mark.parametrize("response_type", ["token", "id_token", "code token", "none", ""])
def test_only_codes_are_issued(flow: Flow, response_type: str) -> None:
    response = flow.request_authorization(response_type=response_type)
    assert response.status_code in (302, 400)
    assert response.status_code == 400 or "error=" in response["Location"]


def test_the_user_of_an_unknown_client_is_asked_to_connect_again(flow: Flow) -> None:
    response = flow.request_authorization(client_id="unknown")
    assert response.status_code == 400
    assert "connect again" in response.content.decode()


@pytest.mark.parametrize(
    "query",
    ["", "client_id=%ff%00", "client_id=a&client_id=b", "state=%zz", "x" * 9000, "resource=%ed%a0%80"],
)
def test_a_malformed_request_gets_an_error_page(flow: Flow, query: str) -> None:
    assert flow.browser.get(f"/oauth/authorize?{query}").status_code == 400
