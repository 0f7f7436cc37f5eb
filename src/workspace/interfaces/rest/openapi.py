"""The OpenAPI 3.1 document, built from the catalog."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from workspace.interfaces.rest import endpoint_docs
from workspace.interfaces.tool_catalog import CATALOG
from workspace.tools.tool import Tool

ERROR_DESCRIPTIONS = {
    "400": "The arguments fail validation (invalid_input), or the plan or state forbids it (tool_error)",
    "401": "The key is missing or not valid (unauthorized)",
    "403": "The key may only read, or was not given the tools of this product (forbidden)",
    "404": "The item does not exist (not_found)",
    "405": "The method is not allowed here (method_not_allowed)",
    "409": "A request with the same Idempotency-Key is running, or the item has changed since you read it (conflict)",
    "413": "The body is too large (too_large)",
    "415": "The body is a form or comes compressed (unsupported_media_type)",
    "422": "The Idempotency-Key came with other arguments (idempotency_key_reused)",
    "429": "The day's calls are used up (rate_limited)",
    "503": "Too many requests at once (busy), or the data cannot be reached or written for now (unavailable)",
}


IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Repeating it within 24 hours repeats the answer, not the effect",
    "schema": {"type": "string", "minLength": 1, "maxLength": 256},
}


def build_document() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {"Error": _error_schema()}
    for tool in CATALOG:
        entry: dict[str, Any] = {"post": _build_operation(tool, schemas, "post")}
        if tool.reads:
            entry["get"] = _build_operation(tool, schemas, "get")
        paths[tool.path] = entry
    refusals = _error_responses()
    paths["/api/v1/call"] = endpoint_docs.describe_call(refusals, [IDEMPOTENCY_KEY])
    paths["/api/v1/upload"] = endpoint_docs.describe_upload(refusals)
    paths["/api/v1/tools"] = endpoint_docs.describe_tools(refusals)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Workspace Tools",
            "version": "1",
            "description": "Every operation is a tool: the same by REST, MCP, command line and dashboard.",
        },
        "servers": [{"url": settings.BASE_URL}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "An API key, svc_live_…"}},
            "schemas": schemas,
        },
    }


def _build_operation(tool: Tool[Any], schemas: dict[str, Any], method: str) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": tool.name if method == tool.method.lower() else f"{tool.name}_{method}",
        "summary": tool.title,
        "description": tool.description,
        "tags": [tool.product_title],
        "responses": {
            "200": endpoint_docs.success_response(_lift_definitions(tool.output_schema, tool.name + "_out", schemas)),
            **_error_responses(),
        },
    }
    schema = _lift_definitions(tool.input_schema, tool.name + "_in", schemas)
    if method == "get":
        required = schema.get("required", [])
        operation["parameters"] = [
            {"name": name, "in": "query", "required": name in required, "schema": part}
            for name, part in schema.get("properties", {}).items()
        ]
    else:
        body = {"required": bool(schema.get("required")), "content": {"application/json": {"schema": schema}}}
        operation["requestBody"] = body
        if not tool.reads:
            operation["parameters"] = [IDEMPOTENCY_KEY]
    return operation


def _error_responses() -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {status: {"description": meaning, "content": content} for status, meaning in ERROR_DESCRIPTIONS.items()}


def _error_schema() -> dict[str, Any]:
    issue = {
        "type": "object",
        "required": ["path", "message"],
        "properties": {"path": {"type": "string"}, "message": {"type": "string"}},
    }
    return {
        "type": "object",
        "required": ["ok", "error", "message"],
        "properties": {
            "ok": {"const": False},
            "error": {"type": "string"},
            "message": {"type": "string"},
            "request_id": {"type": "string"},
            "issues": {"type": "array", "items": issue},
            "retryAfter": {"type": "integer", "description": "Seconds"},
        },
    }


def _lift_definitions(schema: dict[str, Any], prefix: str, schemas: dict[str, Any]) -> dict[str, Any]:
    """Move the schema's `$defs` to the document's components, under unique names. Return the schema."""

    def moved(node: Any) -> Any:
        if isinstance(node, list):
            return [moved(part) for part in node]
        if not isinstance(node, dict):
            return node
        return {
            key: f"#/components/schemas/{prefix}_{_component_name(value.rsplit('/', 1)[1])}"
            if key == "$ref"
            else moved(value)
            for key, value in node.items()
            if key != "$defs"
        }

    for name, part in schema.get("$defs", {}).items():
        schemas[f"{prefix}_{_component_name(name)}"] = moved(part)
    found: dict[str, Any] = moved(schema)
    return found


def _component_name(name: str) -> str:
    return "".join(char if char.isalnum() else "_" for char in name).strip("_")
