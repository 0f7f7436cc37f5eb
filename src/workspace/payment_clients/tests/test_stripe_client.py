"""The client of Stripe reads lists completely and shows its key nowhere."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from workspace.payment_clients.errors import ProviderUnreachableError
from workspace.payment_clients.stripe.client import StripeClient, parse_page_url
from workspace.testing.fake_stripe import KEY, FakeStripe

pytestmark = pytest.mark.any_database


def test_a_list_of_several_pages_is_read_completely(stripe: FakeStripe) -> None:
    stripe.refunds = [{"id": f"re_{number}", "payment_intent": f"pi_{number % 2}"} for number in range(450)]
    client = StripeClient(KEY)
    assert [one["id"] for one in client.list_objects("refunds", {})] == [
        f"re_{number}" for number in range(449, -1, -1)
    ]
    of_one = client.list_objects("refunds", {"payment_intent": "pi_1", "created": {"gte": 5}})
    assert len(of_one) == 225
    asked = parse_qs(urlsplit(stripe.requests[-1][1]).query)
    assert (asked["payment_intent"], asked["created[gte]"], asked["limit"]) == (["pi_1"], ["5"], ["100"])


def test_the_mode_and_kind_of_a_key_are_known_and_the_key_is_not_printed() -> None:
    for key, secret, live in [
        ("sk_test_1", True, False),
        ("rk_test_1", True, False),
        ("sk_live_1", True, True),
        ("rk_live_1", True, True),
        ("pk_live_1", False, False),
        ("", False, False),
    ]:
        client = StripeClient(key)
        assert (client.is_secret_key, client.is_live) == (secret, live), key
        assert not key or key not in repr(client)


def test_only_a_page_of_https_or_of_the_fake_is_opened(stripe: FakeStripe) -> None:
    assert parse_page_url({"url": "https://checkout.example/c"}) == "https://checkout.example/c"
    assert parse_page_url({"url": f"{stripe.url}/c/1"}) == f"{stripe.url}/c/1"
    for url in (None, "", "http://checkout.example/c", "javascript:alert(1)"):
        with pytest.raises(ProviderUnreachableError):
            parse_page_url({"url": url})
