"""Rows of answers are built from columns."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from typing_extensions import TypedDict

from workspace.publishing.serializers import build_row


class Named(TypedDict):
    id: str


class Dish(Named):
    name: str
    price: float


DISH = SimpleNamespace(id="item_1", name="Soup", price=450, secret="x")


def test_members_are_attributes_unless_they_are_given() -> None:
    row = build_row(Dish, DISH, {"price": 4.5})
    assert row == {"id": "item_1", "name": "Soup", "price": 4.5}
    assert list(row) == ["id", "name", "price"], "the order is that of the TypedDict"


def test_a_value_that_the_answer_does_not_have_is_an_error() -> None:
    with pytest.raises(KeyError, match="Dish has no secret"):
        build_row(Dish, DISH, {"secret": "x"})


def test_a_member_without_a_value_is_an_error() -> None:
    with pytest.raises(AttributeError):
        build_row(Dish, SimpleNamespace(id="item_1", name="Soup"), {})
