from __future__ import annotations

import json

import pytest
from django.apps import apps

from tests.across.samples import SAMPLES
from workspace.accounts.models import IdempotentCall
from workspace.interfaces.catalogue import CATALOGUE
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


class Named(dict[str, str]):
    """Stands in for what was made, to see which samples name something."""

    def __missing__(self, key: str) -> str:
        return f"{key}_00000000000000000000000000"


NAMING = [name for name, sample in SAMPLES.items() if "_00000000000000000000000000" in json.dumps(sample(Named()))]


def test_every_tool_has_a_sample() -> None:
    assert set(SAMPLES) == set(CATALOGUE.by_name)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_sample_works_for_its_owner(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    api.run(name, **SAMPLES[name](made))


@pytest.mark.parametrize("name", NAMING)
def test_another_accounts_ids_are_not_found_and_nothing_changes(
    name: str, furnished: tuple[Api, dict[str, str]], stranger: Api
) -> None:
    api, made = furnished
    before = _stored(api)
    body = stranger.refuse(name, **SAMPLES[name](made))
    assert body["error"] == "not_found"
    unknown = stranger.refuse(name, **SAMPLES[name](Named()))
    assert unknown["message"] == body["message"], "another's thing and no thing are told alike"
    assert _stored(api) == before


def _stored(api: Api) -> str:
    """Every row of the account's, as text."""
    rows = []
    for model in apps.get_models():
        if any(field.name == "account" for field in model._meta.get_fields()) and model is not IdempotentCall:
            rows += list(model._default_manager.filter(account=api.account).order_by("pk").values())
    return repr(rows)


@pytest.mark.parametrize("name", [tool.name for tool in CATALOGUE if not tool.reads])
def test_a_read_only_key_changes_nothing(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    from workspace.testing.api import make_api

    api, made = furnished
    reader = make_api(api.account, read_only=True)
    status, body = reader.post("call", {"name": name, "arguments": SAMPLES[name](made)})
    assert (status, body["error"]) == (403, "forbidden")
