from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps

from tests.across.samples import SAMPLES
from workspace.accounts.models import IdempotentCall
from workspace.interfaces.tool_catalog import CATALOG
from workspace.publishing.models import Address
from workspace.testing.api import Api
from workspace.tools.tool import Tool

pytestmark = pytest.mark.django_db


class Named(dict[str, str]):
    """A replacement for the created items, which detects the samples that refer to one."""

    def __missing__(self, key: str) -> str:
        return f"{key}_00000000000000000000000000"


NAMING = [name for name, sample in SAMPLES.items() if "_00000000000000000000000000" in json.dumps(sample(Named()))]


def test_every_tool_has_a_sample() -> None:
    assert set(SAMPLES) == set(CATALOG.by_name)


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


def _models_of(tool: Tool[Any]) -> dict[str, str]:
    """Return the arguments that name an item to copy: at the top level, or in the entries of a list."""
    fields = tool.input_schema["properties"]
    entries = fields.get("items", {}).get("items", {})
    if "$ref" in entries:
        entries = tool.input_schema["$defs"][entries["$ref"].rsplit("/", 1)[1]]
    inner = {name: "items" for name in ("copy_of",) if name in entries.get("properties", {})}
    return inner | {name: "" for name in ("copy_of",) if name in fields}


MODELS = {tool.name: found for tool in CATALOG if (found := _models_of(tool))}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_nothing_can_be_copied_from_another_account(
    name: str, furnished: tuple[Api, dict[str, str]], stranger: Api
) -> None:
    """Check references by id and by URL."""
    api, made = furnished
    [(argument, within)] = MODELS[name].items()
    required = CATALOG.by_name[name].input_schema.get("required", [])
    sample = {key: value for key, value in SAMPLES[name](made).items() if key in required}

    def create_arguments(thing: str) -> dict[str, object]:
        return {**sample, **({within: [{argument: thing}]} if within else {argument: thing})}

    slugs = Address.objects.filter(publication__account=api.account).values_list("slug", flat=True)
    known = [thing for thing in {*made.values(), *slugs} if _is_allowed(api, name, create_arguments(thing))]
    assert known, "the owner can begin with one"
    unknown = stranger.refuse(name, **create_arguments("thing_00000000000000000000000000"))
    for thing in known:
        refused = stranger.refuse(name, **create_arguments(thing))
        assert (refused["error"], refused["message"]) == (unknown["error"], unknown["message"]), thing


def _is_allowed(api: Api, name: str, arguments: dict[str, object]) -> bool:
    status, _ = api.post("call", {"name": name, "arguments": {**arguments, "dry_run": True}})
    return status == 200


def _stored(api: Api) -> str:
    """Return every row of the account as text."""
    rows = []
    for model in apps.get_models():
        if any(field.name == "account" for field in model._meta.get_fields()) and model is not IdempotentCall:
            rows += list(model._default_manager.filter(account=api.account).order_by("pk").values())
    return repr(rows)


@pytest.mark.parametrize("name", [tool.name for tool in CATALOG if not tool.reads])
def test_a_read_only_key_changes_nothing(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    from workspace.testing.api import make_api

    api, made = furnished
    reader = make_api(api.account, read_only=True)
    status, body = reader.post("call", {"name": name, "arguments": SAMPLES[name](made)})
    assert (status, body["error"]) == (403, "forbidden")
