from __future__ import annotations

import json

import pytest

from tests.across.samples import SAMPLES, things
from workspace.interfaces.catalogue import CATALOGUE
from workspace.testing import Api

pytestmark = pytest.mark.django_db
NAMING = [name for name, sample in SAMPLES.items() if "theirs" in json.dumps(sample({"code": "theirs"}))]


def test_every_tool_has_a_sample() -> None:
    assert set(SAMPLES) == set(CATALOGUE.by_name)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_sample_works_for_its_owner(name: str, api: Api) -> None:
    api.run(name, **SAMPLES[name](things(api)))


@pytest.mark.parametrize("name", NAMING)
def test_another_accounts_ids_are_not_found_and_nothing_changes(name: str, api: Api, stranger: Api) -> None:
    made = things(api)
    before = api.run("svc_qr_get", id=made["code"])
    body = stranger.refuse(name, **SAMPLES[name](made))
    assert body["error"] == "not_found"
    unknown = stranger.refuse(name, **SAMPLES[name]({"code": "qr_00000000000000000000000000"}))
    assert unknown["message"] == body["message"], "another's thing and no thing are told alike"
    assert api.run("svc_qr_get", id=made["code"]) == before


@pytest.mark.parametrize("name", [tool.name for tool in CATALOGUE if not tool.reads])
def test_a_read_only_key_changes_nothing(name: str, api: Api) -> None:
    from workspace.testing import make_api

    made = things(api)
    reader = make_api(api.account, read_only=True)
    status, body = reader.post("call", {"name": name, "arguments": SAMPLES[name](made)})
    assert (status, body["error"]) == (403, "forbidden")
