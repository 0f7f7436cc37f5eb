"""Every answer is validated against its tool's schema by an independent validator."""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.across.samples import SAMPLES
from workspace.interfaces.rest import openapi
from workspace.interfaces.tool_catalog import CATALOG
from workspace.testing import prepared_database
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
document = cache(openapi.build_document)


def validate_once(served: dict[str, Any]) -> None:
    """Validate a document, unless the same one has passed before, because validation takes 13 seconds."""
    known = [json.dumps(served, sort_keys=True), *map(version, ("openapi-spec-validator", "jsonschema"))]
    passed = prepared_database.KEPT / f"{sha256(repr(known).encode()).hexdigest()}.openapi"
    if not passed.exists():
        validate(served)
        passed.parent.mkdir(exist_ok=True)
        passed.touch()


def error_schema() -> dict[str, Any]:
    return {"$ref": "#/components/schemas/Error", "components": document()["components"]}


@cache
def described(path: str, method: str, status: int) -> Draft202012Validator:
    """Return the schema of an answer in the OpenAPI document."""
    whole = document()
    content = whole["paths"][path][method]["responses"][str(status)]["content"]
    return Draft202012Validator({**content["application/json"]["schema"], "components": whole["components"]})


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_an_answer_matches_its_schema(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    status, body = api.post("call", {"name": name, "arguments": SAMPLES[name](made)})
    assert status == 200, body
    assert set(body) == {"ok", "text", "data"}
    described(CATALOG.by_name[name].path, "post", 200).validate(body)
    described("/api/v1/call", "post", 200).validate(body)
    assert body["text"].strip()
    schema = CATALOG.by_name[name].output_schema
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(body["data"])


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_sample_matches_the_input_schema(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    schema = CATALOG.by_name[name].input_schema
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(SAMPLES[name](furnished[1]))


def test_the_openapi_document_is_valid(api: Api) -> None:
    served = api.client.get("/api/v1/openapi.json").json()
    validate_once(served)
    assert served == document() and served["openapi"].startswith("3.1")
    assert set(served["paths"]) == {*CATALOG.by_path, "/api/v1/call", "/api/v1/upload", "/api/v1/tools"}
    named = [operation["operationId"] for entry in served["paths"].values() for operation in entry.values()]
    assert len(named) == len(set(named)) and set(CATALOG.by_name) <= set(named)


def test_answers_outside_of_tools_match_their_description(api: Api) -> None:
    described("/api/v1/tools", "get", 200).validate(Client().get("/api/v1/tools").json())
    picture = b64decode(SAMPLES["svc_upload_file"]({})["content"])
    sent = {"file": SimpleUploadedFile("dot.png", picture, "image/png")}
    response = api.client.post("/api/v1/upload", sent)
    assert response.status_code == 200, response.content
    described("/api/v1/upload", "post", 200).validate(response.json())


@pytest.mark.parametrize(
    ("status", "path", "body", "headers"),
    [
        (400, "/api/v1/qr/create", {}, {}),
        (400, "/api/v1/call", {"name": "svc_qr_create", "arguments": {"name": ""}}, {}),
        (401, "/api/v1/qr/create", {}, {"authorization": "Bearer x"}),
        (401, "/api/v1/upload", {}, {"authorization": ""}),
        (404, "/api/v1/qr/get", {"id": "none"}, {}),
        (404, "/api/v1/call", {"name": "svc_none"}, {}),
        (405, "/api/v1/call", None, {}),
        (405, "/api/v1/upload", None, {}),
        (413, "/api/v1/qr/create", {"name": "x" * 3_000_000}, {}),
        (415, "/api/v1/qr/create", {}, {"content-encoding": "gzip"}),
        (415, "/api/v1/upload", {}, {"content-encoding": "gzip"}),
    ],
)
def test_an_error_matches_its_description(status: int, path: str, body: Any, headers: dict[str, str], api: Api) -> None:
    send = api.client.put if body is None else api.client.post
    response = send(path, json.dumps(body), content_type="application/json", headers=headers)
    assert response.status_code == status, response.content
    described(path, "post", status).validate(response.json())
    assert not Draft202012Validator(error_schema()).is_valid({"ok": True})


@pytest.mark.parametrize("path", ["/api/v1/tools", "/api/v1/openapi.json"])
def test_static_documents_need_no_key_and_are_revalidated_by_etag(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 200 and response["Content-Type"] == "application/json"
    tag = response["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = Client().get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert Client().get(path, headers={"if-none-match": '"other"'}).content == response.content
    assert Client().head(path)["ETag"] == tag


def test_the_catalog_lists_every_tool_in_order() -> None:
    tools = Client().get("/api/v1/tools").json()["data"]["tools"]
    assert [tool["name"] for tool in tools] == list(CATALOG.by_name)
