"""Every answer against the schema that its tool declares, by a validator that had no part in writing it."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.across.samples import SAMPLES, things
from workspace.interfaces.catalogue import CATALOGUE
from workspace.testing import Api

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_an_answer_is_what_its_schema_says(name: str, api: Api) -> None:
    status, body = api.post("call", {"name": name, "arguments": SAMPLES[name](things(api))})
    assert status == 200, body
    assert set(body) == {"ok", "text", "data"}
    assert body["text"].strip()
    schema = CATALOGUE.by_name[name].output_schema
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(body["data"])


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_sample_is_what_the_input_schema_allows(name: str, api: Api) -> None:
    schema = CATALOGUE.by_name[name].input_schema
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(SAMPLES[name](things(api)))


def test_the_openapi_document_is_valid(api: Api) -> None:
    document = api.client.get("/api/v1/openapi.json").json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    assert {operation["post"]["operationId"].removesuffix("_post") for operation in document["paths"].values()} == set(
        CATALOGUE.by_name
    )


def test_the_catalogue_is_answered_without_a_key_and_again_by_its_etag() -> None:
    from django.test import Client

    response = Client().get("/api/v1/tools")
    assert [tool["name"] for tool in response.json()["data"]["tools"]] == list(CATALOGUE.by_name)
    again = Client().get("/api/v1/tools", headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
