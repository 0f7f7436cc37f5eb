"""Hostile requests to the authorization server, and the data stored about them."""

from __future__ import annotations

import hashlib

import pytest

from workspace.accounts.models import OAuthGrant
from workspace.rate_limits.models import RateCounter
from workspace.testing.api import make_account
from workspace.testing.oauth_client import Flow, redirect_parameters, register, sign_in_browser

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "challenge",
    ["\0" * 43, "é" * 43, "\n" * 43, "a b" * 15, "a=" * 22],
    ids=["nul", "accent", "breaks", "blank", "padding"],
)
def test_an_invalid_code_challenge_is_refused(challenge: str) -> None:
    owner = make_account().owner
    flow = Flow(sign_in_browser(owner), register()["client_id"])
    response = flow.browser.get("/oauth/authorize", flow.query(code_challenge=challenge))
    assert redirect_parameters(response)["error"] == "invalid_request"
    assert not OAuthGrant.objects.exists()


def test_the_ip_address_of_a_registration_cannot_be_derived_from_stored_data() -> None:
    register()
    plain = hashlib.sha256(b"127.0.0.1").hexdigest()
    kept = RateCounter.objects.values_list("key", flat=True)
    assert kept
    assert all(key not in plain for key in kept)
