"""Templates of this package render the same values as Django, which looks them up in a slower way."""

from __future__ import annotations

from collections import OrderedDict, UserDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest
from django.template import Context, Engine, RequestContext, Template
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from workspace import template_values
from workspace.template_layout import LaidOutTemplate

pytestmark = pytest.mark.any_database  # no test here reads a database
ENGINE = Engine(string_if_invalid="?%s?")


class _Row:
    kind = "class attribute"
    items = "an attribute called items"

    def __init__(self) -> None:
        self.name, self.number, self.none = 'O\'Hara & "Sons" <b>', 1234.5, None

    def __str__(self) -> str:
        return "<row>"

    @property
    def missing(self) -> str:
        raise ObjectDoesNotExist

    @property
    def misspelled(self) -> str:
        return self.label_of_nothing  # type: ignore[attr-defined,no-any-return]  # the error is what is tested

    def method(self) -> str:
        return "of a method <"

    def delete(self) -> str:
        raise AssertionError("a template must not call it")

    delete.alters_data = True  # type: ignore[attr-defined]

    def with_argument(self, text: str) -> str:
        return text


@dataclass(frozen=True, slots=True)
class _Slots:
    name: str = "<slots>"


class _Word(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "<own text>"


VALUES: dict[str, Any] = {
    "text": "a & b < c > d \" e ' f",
    "safe": mark_safe("<b>bold</b>"),
    "lazy": gettext_lazy("Paused"),
    "word": _Word("x"),
    "number": 1234567.891,
    "amount": Decimal("1234.50"),
    "yes": True,
    "none": None,
    "day": date(2026, 11, 29),
    "moment": datetime(2026, 11, 29, 12, tzinfo=UTC),
    "row": _Row(),
    "slots": _Slots(),
    "rows": [_Row(), {"name": "<second>"}],
    "found": {"name": "<n>", "items": "own key", "0": "zero", 1: "one", "deep": {"er": [{"x": "<deep>"}]}},
    "sorted": OrderedDict(name="<ordered>"),
    "counts": defaultdict(int, a=1),
    "custom": UserDict(name="<user>"),
    "function": lambda: "<called>",
    "later": SimpleLazyObject(lambda: {"name": "<lazy>"}),
    "class": _Row,
}
EXPRESSIONS = [
    *VALUES,
    *(
        "nothing",
        "nothing.name",
        "text.upper",
        "text.0",
        "none.name",
        "number.real",
        "row.name",
        "row.number",
        "row.none",
    ),
    *("row.kind", "row.items", "row.missing", "row.method", "row.delete", "row.with_argument", "row.nowhere"),
    *(
        "slots.name",
        "slots.other",
        "rows.0.name",
        "rows.1.name",
        "rows.5.name",
        "found.name",
        "found.items",
        "found.keys",
    ),
    *(
        "found.0",
        "found.1",
        "found.deep.er.0.x",
        "found.deep.none",
        "sorted.name",
        "counts.a",
        "counts.b",
        "custom.name",
    ),
    *(
        "function",
        "function.name",
        "later.name",
        "class.kind",
        "class.name",
        "dicts",
        "push",
        "text|upper",
        "text|safe",
    ),
    *("nothing|default:row.name", "found.name|default:text", "text|cut:row.name", "_('Paused')", "'<literal>'", "3.5"),
]


def _render(kind: type[Template], source: str, make_context: Callable[[], Context]) -> str:
    try:
        return kind(source, engine=ENGINE).render(make_context())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values_are_rendered_as_by_django(expression: str) -> None:
    around = (
        "{{{{ {} }}}}",
        "{{% autoescape off %}}{{{{ {} }}}}{{% endautoescape %}}",
        "{{% if {} %}}yes{{% endif %}}",
    )
    contexts: tuple[Callable[[], Context], ...] = (
        lambda: Context(VALUES),
        lambda: Context({"row": "hidden"}) if expression == "row" else Context(VALUES, autoescape=False),
        lambda: RequestContext(HttpRequest(), VALUES),
    )
    for source in (one.format(expression) for one in around):
        for make_context in contexts:
            assert _render(LaidOutTemplate, source, make_context) == _render(Template, source, make_context)


def test_an_error_in_a_property_is_raised_as_by_django() -> None:
    for kind in (LaidOutTemplate, Template):
        with pytest.raises(AttributeError, match="label_of_nothing"):
            kind("{{ row.misspelled }}", engine=ENGINE).render(Context(VALUES))


def test_the_innermost_value_is_rendered() -> None:
    source = "{% for text in rows %}{{ text.name }}{% with text='<in>' %}{{ text }}{% endwith %}{% endfor %}{{ text }}"
    assert _render(LaidOutTemplate, source, lambda: Context(VALUES)) == _render(
        Template, source, lambda: Context(VALUES)
    )


def test_variables_of_templates_are_of_this_module() -> None:
    template = LaidOutTemplate("{{ row.name|default:text }}", engine=ENGINE)
    [node] = template.nodelist
    assert isinstance(node, template_values.ValueNode)
    assert isinstance(node.filter_expression.var, template_values.Lookup)
    assert Path(template_values.__file__).is_relative_to(Path(__file__).parents[2])
