"""API keys are shown once, stored as a hash, and rejected unless valid."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import serializers

from workspace.accounts.models import ApiKey
from workspace.accounts.models.api_key import MAX_KEYS, is_well_formed
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.testing.api import make_account, make_api

pytestmark = pytest.mark.django_db


def test_a_key_has_the_live_prefix_and_a_checksum() -> None:
    _, secret = ApiKey.create(make_account(), name="Shop")
    assert secret.startswith("svc_live_")
    assert is_well_formed(secret)
    for place in (len("svc_live_"), len(secret) - 1):
        other = "A" if secret[place] != "A" else "B"
        assert not is_well_formed(secret[:place] + other + secret[place + 1 :])


def test_the_secret_is_not_stored() -> None:
    account = make_account()
    _, secret = ApiKey.create(account, name="Shop")
    stored = serializers.serialize("json", ApiKey.objects.all())
    assert secret not in stored
    assert secret[len("svc_live_") + 4 :] not in stored


def test_malformed_keys_are_rejected_without_a_query(django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert ApiKey.find_live("svc_live_" + "x" * 38) is None
        assert ApiKey.find_live("é" * 47) is None


@pytest.mark.parametrize("change", ["revoked", "expired", "banned"])
def test_an_inactive_key_is_unauthorized(change: str) -> None:
    api = make_api()
    key = ApiKey.objects.get()
    assert api.get("me")[0] == 200
    if change == "revoked":
        key.revoke()
    elif change == "expired":
        ApiKey.objects.update(expires_at=clock.now() - timedelta(seconds=1))
    else:
        api.account.banned_at = clock.now()
        api.account.save()
    status, body = api.get("me")
    assert (status, body["error"]) == (401, "unauthorized")


def test_a_read_only_key_cannot_write() -> None:
    api = make_api(read_only=True)
    assert api.get("qr/list")[0] == 200
    status, body = api.post("qr/create", {"name": "x", "target_url": "a.de"})
    assert (status, body["error"]) == (403, "forbidden")


def test_an_account_can_have_twenty_keys() -> None:
    account = make_account()
    for number in range(MAX_KEYS):
        ApiKey.create(account, name=str(number))
    with pytest.raises(OperationNotAllowedError, match="Revoke"):
        ApiKey.create(account, name="one more")
    account.keys.first().revoke()
    ApiKey.create(account, name="in its place")
