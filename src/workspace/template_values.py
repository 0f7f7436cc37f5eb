"""Values in templates: a parser with faster lookups and text rendering than Django's, and the same results.

Django tries each kind of lookup in turn, and checks each value for lazy strings, numbers and times. Here, the common
kinds are recognized by type: dictionaries, attributes of objects, and strings. Django handles everything else.
"""

from __future__ import annotations

import html
from typing import Any

from django.template import Context, RequestContext, Variable
from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    Parser,
    Token,
    VariableNode,
    render_value_in_context,
)
from django.utils.safestring import SafeString

_MISSING: Any = object()


class Lookup(Variable):
    """A variable such as `row.name`."""

    __slots__ = ()

    def _resolve_lookup(self, context: Any) -> Any:
        found = self._find_value(context) if type(context) in (RequestContext, Context) else _MISSING
        return super()._resolve_lookup(context) if found is _MISSING else found  # type: ignore[misc]  # not in the stubs

    def _find_value(self, context: Any) -> Any:
        """Return the value, or `_MISSING` if a step needs Django's rules."""
        first, *steps = self.lookups or ()
        current = _MISSING
        for layer in reversed(context.dicts):
            if first in layer:
                current = layer[first]
                break
        for step in steps:
            kind = type(current)
            if callable(current) or current is _MISSING:
                return _MISSING
            if kind is dict:
                current = current.get(step, _MISSING)
            elif hasattr(kind, "__getitem__"):
                return _MISSING
            else:
                try:
                    current = getattr(current, step, _MISSING)
                except Exception:
                    return _MISSING
        return _MISSING if callable(current) else current


class ValueNode(VariableNode):
    """A template variable whose text is rendered directly."""

    def render(self, context: Context) -> str:
        """Return the escaped text, or Django's rendering of other values."""
        try:
            value = self.filter_expression.resolve(context)
        except UnicodeDecodeError:
            return ""
        kind = type(value)
        if kind is SafeString:
            return value  # type: ignore[no-any-return]
        if kind is str and context.autoescape:
            return html.escape(value)
        return render_value_in_context(value, context)


class ValueParser(Parser):
    """Django's parser, with the variables of this module."""

    def compile_filter(self, token: str) -> FilterExpression:
        """Compile a variable with its filters."""
        expression = super().compile_filter(token)
        if type(expression.var) is Variable and expression.var.lookups:
            expression.var = Lookup(expression.var.var)
        return expression

    def extend_nodelist(self, nodelist: NodeList, node: Node, token: Token) -> None:
        """Add a node to a list."""
        super().extend_nodelist(
            nodelist, ValueNode(node.filter_expression) if type(node) is VariableNode else node, token
        )
