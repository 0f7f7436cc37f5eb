"""Normalization of JSON values by a schema: nulls, and integers that were written with a decimal point."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from workspace.tools.json_schema import normalize_value


class Link(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    url: str
    place: int | None = None


class Heading(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    text: str


class Page(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    links: list[Link] = []
    parts: list[Link | Heading] = []
    price: float = 0
    notes: dict[str, Any] = {}
    named: Annotated[Link | None, Field(description="x")] = None


SCHEMA = TypeAdapter(Page).json_schema()


def parse_page(**value: Any) -> Page:
    return Page.model_validate(normalize_value(value, SCHEMA))


def wrong(**value: Any) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        parse_page(**value)
    return [".".join(map(str, detail["loc"])) for detail in caught.value.errors()]


def test_a_null_is_left_out_if_its_name_is_known() -> None:
    page = parse_page(links=[{"url": "a", "place": None}], named={"url": "b", "place": None}, price=None)
    assert page == Page(links=[Link(url="a")], named=Link(url="b"))


def test_a_null_under_an_unknown_name_is_rejected_there() -> None:
    assert wrong(nonsense=None) == ["nonsense"]
    assert wrong(links=[{"url": "a"}, {"url": "b", "nonsense": None}]) == ["links.1.nonsense"]
    assert wrong(named={"url": "b", "nonsense": None}) == ["named.nonsense"]
    assert wrong(links=[{"url": None}]) == ["links.0.url"]


def test_any_alternative_may_have_the_name() -> None:
    assert parse_page(parts=[{"url": "a", "place": None}, {"text": "b"}]).parts == [Link(url="a"), Heading(text="b")]
    assert wrong(parts=[{"url": "a", "nonsense": None}])


def test_in_an_open_object_every_null_is_left_out() -> None:
    assert parse_page(notes={"a": None, "b": {"c": None, "d": 1}}).notes == {"b": {"d": 1}}


def test_a_number_without_a_fraction_is_an_integer_everywhere() -> None:
    assert parse_page(links=[{"url": "a", "place": 3.0}]).links[0].place == 3
    assert wrong(links=[{"url": "a", "place": 3.5}]) == ["links.0.place"]
    assert wrong(links=[{"url": "a", "place": True}]) == ["links.0.place"]
    assert wrong(links=[{"url": "a", "place": 1e300}]) == ["links.0.place"]
    assert parse_page(price=5.0).price == 5 and parse_page(price=5.5).price == 5.5
