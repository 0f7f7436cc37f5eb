"""Samples of this product for the tests across all tools.

`SAMPLES` are each tool's arguments, built from the result of `create_samples`. `LISTS` has a function for each
paginated list that adds a row. `ADDRESSES` has the value for each part of a URL: a name in the result, or a text.
"""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api


def make_notice_board(api: Api, number: int = 0, **fields: Any) -> dict[str, Any]:
    """Create a notice board and return its data."""
    notice_board: dict[str, Any] = api.run("svc_pinboard_create", title=f"Sample {number}", **fields)
    notice_board.pop("change", None)  # only in answers of writes
    return notice_board


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of each kind. Return their ids: {name in SAMPLES: id}."""
    return {"notice_board": make_notice_board(api, text="First line.\n\nSecond *paragraph*.")["id"]}


SAMPLES = {
    "svc_pinboard_list": lambda made: {"limit": 10},
    "svc_pinboard_create": lambda made: {"title": "Another sample", "text": "Open daily."},
    "svc_pinboard_get": lambda made: {"id": made["notice_board"]},
    "svc_pinboard_edit": lambda made: {"id": made["notice_board"], "title": "Renamed", "text": "Open on Mondays."},
    "svc_pinboard_delete": lambda made: {"ids": [made["notice_board"]]},
}
LISTS = {"svc_pinboard_list": make_notice_board}
ADDRESSES = {"id": "notice_board"}
