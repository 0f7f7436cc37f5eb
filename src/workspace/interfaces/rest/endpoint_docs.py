"""Descriptions of endpoints that are not tools, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from workspace.accounts.upload_tools import upload_file

Schema = dict[str, Any]


def success_schema(data: Schema) -> Schema:
    """Return the schema of a success response with this data."""
    return {
        "type": "object",
        "required": ["ok", "text", "data"],
        "properties": {
            "ok": {"const": True},
            "text": {"type": "string", "description": "A summary in Markdown"},
            "data": data,
        },
    }


def success_response(data: Schema) -> Schema:
    return {"description": "Done", "content": {"application/json": {"schema": success_schema(data)}}}


def describe_call(refusals: Schema, headers: list[Schema]) -> Schema:
    """Describe the endpoint that calls a tool by its name."""
    arguments = {"type": "object", "description": "As the tool's own endpoint takes them"}
    body = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string", "examples": ["svc_me"]}, "arguments": arguments},
        "additionalProperties": False,
    }
    return {
        "post": {
            "operationId": "call",
            "summary": "Call any tool by its name",
            "tags": ["All tools"],
            "parameters": headers,
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {
                "200": success_response({"type": "object", "description": "The data of the tool"}),
                **refusals,
            },
        }
    }


def describe_upload(refusals: Schema) -> Schema:
    """Describe the endpoint for uploads."""
    file = {"type": "string", "format": "binary", "description": "Of up to 8 MB; a picture is PNG, JPEG, WebP or GIF"}
    kind = {"enum": ["picture", "file"], "default": "picture", "description": "file for people"}
    body = {"type": "object", "required": ["file"], "properties": {"file": file, "kind": kind}}
    data = upload_file.output_schema
    return {
        "post": {
            "operationId": "upload",
            "summary": "Send a picture or a file",
            "description": "The answer's upload_id is what tools take within a day, as a logo for instance.",
            "tags": ["All tools"],
            "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": body}}},
            "responses": {"200": success_response(data), **refusals},
        }
    }


def describe_tools(refusals: Schema) -> Schema:
    """Describe the endpoint that lists the tools."""
    text: Schema = {"type": "string"}
    schema: Schema = {"type": "object", "description": "JSON Schema, draft 2020-12"}
    members: Schema = {
        **dict.fromkeys(["name", "title", "description", "product", "product_title", "path"], text),
        "method": {"enum": ["GET", "POST"]},
        "input_schema": schema,
        "output_schema": schema,
        "hints": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "columns": {"type": "array", "items": text, "description": "What a short table of a list shows of each row"},
    }
    tool = {"type": "object", "required": list(members), "properties": members, "additionalProperties": False}
    data = {"type": "object", "required": ["tools"], "properties": {"tools": {"type": "array", "items": tool}}}
    known = {"name": "If-None-Match", "in": "header", "schema": text, "description": "The ETag of an earlier answer"}
    return {
        "get": {
            "operationId": "tools",
            "summary": "List all tools with their schemas",
            "tags": ["All tools"],
            "security": [],
            "parameters": [known],
            "responses": {
                "200": success_response(data),
                "304": {"description": "Nothing changed since the answer with that ETag"},
                "405": refusals["405"],
            },
        }
    }
