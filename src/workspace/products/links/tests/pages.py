"""Helpers that save elements of a page and find them."""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api


def get_page(api: Api, page_id: str) -> dict[str, Any]:
    """Return the current page."""
    return next(row for row in api.run("svc_links_pages")["items"] if row["id"] == page_id)


def save(api: Api, page_id: str, **item: Any) -> dict[str, Any]:
    """Save an element and return its data."""
    answer = api.run("svc_links_save", page_id=page_id, items=[item])
    return next(row for row in answer["elements"] if row["id"] == answer["saved"][0])


def buttons(page: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for row in page["elements"] if row["kind"] == "link"]
