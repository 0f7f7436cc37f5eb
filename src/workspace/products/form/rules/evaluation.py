"""The evaluation of a form.

**A hidden field is empty for everything after it.** The browser applies the same rules (`static/form/evaluate.js`).
Both are tested with `testing/form_cases.json`. Pages are evaluated in order, starting with the first. The fields of a
page are evaluated in the order of their dependencies (`order`, which is computed when a form is saved). The browser may
keep hidden answers, because people change their minds, but does not submit them. Here they are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from workspace.products.form.rules import answer_validation, field_types
from workspace.products.form.rules.answer_validation import Answer, fold_case
from workspace.products.form.rules.numbers import (
    DEFAULT_DECIMALS,
    MAX_BITS,
    is_exact_in_json,
    parse_number,
    round_fraction,
    to_json_number,
)

END = "end"
Definition = Mapping[str, Any]


@dataclass(slots=True)
class EvaluationResult:
    """The result of an evaluation.

    `pages` are the keys of the pages reached. `visible` and `required` are keys of fields in the order of evaluation.
    `errors` are codes by key. `hidden_by` is the reason why a field is hidden: its page, its section or its own
    condition.
    """

    pages: list[str] = field(default_factory=list)
    visible: dict[str, None] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    values: dict[str, Answer] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    hidden_by: dict[str, str] = field(default_factory=dict)
    decimals: dict[str, int] = field(default_factory=dict)  # of calculated values
    is_complete: bool = True  # false while `until` is the page being filled in

    @property
    def stored_answers(self) -> dict[str, Any]:
        """The answers of visible fields, as they are stored in JSON."""
        return {
            key: to_json_number(self.round_value(key, value)) if isinstance(value, Fraction) else value
            for key, value in self.values.items()
            if value is not None
        }

    def round_value(self, key: str, value: Fraction) -> Fraction:
        """Round a calculated value for display or storage. Calculations use exact values."""
        return round_fraction(value, self.decimals[key]) if key in self.decimals else value


def evaluate_form(form: Definition, answers: Mapping[str, Any], today: str, *, last_page: str = "") -> EvaluationResult:
    """Evaluate answers by key, as typed or submitted. Unknown keys are dropped.

    `last_page` is the key of the last page to evaluate, for guests who fill in one page at a time.
    """
    result = EvaluationResult()
    requested: str | None = None
    stopped = False
    for page in form["pages"]:
        if stopped or requested == END or (requested is not None and page["key"] != requested):
            result.hidden_by.update({field["key"]: "page" for field in page["fields"]})
            continue
        result.pages.append(page["key"])
        _evaluate_page(page, answers, today, result)
        requested = next(
            (
                leap["go_to"]
                for leap in page.get("next", ())
                if leap.get("if") is None or is_condition_met(leap["if"], result.values, today)
            ),
            None,
        )
        if page["key"] == last_page:
            stopped = True
            result.is_complete = False
    return result


def _evaluate_page(page: Definition, answers: Mapping[str, Any], today: str, result: EvaluationResult) -> None:
    fields = {field["key"]: field for field in page["fields"]}
    for key in page["order"]:
        item = fields[key]
        if item.get("section") and item["section"] not in result.visible:
            result.hidden_by[key] = "section"
            continue
        if item.get("show_if") is not None and not is_condition_met(item["show_if"], result.values, today):
            result.hidden_by[key] = "show_if"
            continue
        result.visible[key] = None
        if item["type"] == "calculated":
            _calculate_field(item, result)
        elif field_types.answer_family(item["type"]) != field_types.NOTHING:
            _evaluate_answer(item, answers.get(key), today, result)


def _calculate_field(item: Mapping[str, Any], result: EvaluationResult) -> None:
    total = evaluate_formula(item["tree"], result.values, item.get("scores", {}))
    decimals = item.get("decimals", DEFAULT_DECIMALS)
    if total is not None and is_exact_in_json(round_fraction(total, decimals)):
        result.values[item["key"]], result.decimals[item["key"]] = total, decimals


def _evaluate_answer(item: Mapping[str, Any], answer: Any, today: str, result: EvaluationResult) -> None:
    key = item["key"]
    value, code = answer_validation.parse_answer(item, answer, today)
    required = item.get("required") or (
        item.get("require_if") is not None and is_condition_met(item["require_if"], result.values, today)
    )
    if required:
        result.required.append(key)
    if code:
        result.errors[key] = code
    elif value is None and required:
        result.errors[key] = answer_validation.REQUIRED
    if value is not None:
        result.values[key] = value


def is_condition_met(condition: Mapping[str, Any], values: Mapping[str, Answer], today: str) -> bool:
    """Return whether a condition is met. An empty answer meets only negated comparisons."""
    if "all" in condition:
        return all(is_condition_met(part, values, today) for part in condition["all"])
    if "any" in condition:
        return any(is_condition_met(part, values, today) for part in condition["any"])
    if "not" in condition:
        return not is_condition_met(condition["not"], values, today)
    value, op, requested = values.get(condition["field"]), condition["op"], condition.get("value")
    if condition.get("day"):
        requested = [
            today if item == field_types.TODAY else item
            for item in (requested if isinstance(requested, list) else [requested])
        ]
    if op in ("is_empty", "is_answered"):
        return (value is None) == bool(op == "is_empty")
    if op in _NEGATED:
        return value is None or not _compare_values(_NEGATED[op], value, requested)
    return value is not None and _compare_values(op, value, requested)


_NEGATED = {"is_not": "is", "not_contains": "contains", "none_of": "any_of"}


@lru_cache(maxsize=32)  # many conditions may use the same long answer
def _fold_cached(text: str) -> str:
    return fold_case(text)


def _compare_values(op: str, value: Answer, expected: Any) -> bool:
    if isinstance(value, bool):
        return op == "is" and value is expected
    if isinstance(value, list):
        return _compare_list(op, value, expected)
    if isinstance(value, Fraction):
        values = [parse_number(item) for item in (expected if isinstance(expected, list) else [expected])]
        return _compare_order(op, value, values)
    if not isinstance(value, str):
        return False
    folded = _fold_cached(value)
    several = [_fold_cached(item) for item in (expected if isinstance(expected, list) else [expected])]
    if op == "contains":
        return several[0] in folded
    if op == "starts_with":
        return folded.startswith(several[0])
    if op == "ends_with":
        return folded.endswith(several[0])
    return _compare_order(op, folded, several)


def _compare_list(op: str, value: list[Any], expected: Any) -> bool:
    several = expected if isinstance(expected, list) else [expected]
    if op == "is":
        return set(value) == set(several)
    if op == "all_of":
        return set(several) <= set(value)
    return bool(set(several) & set(value))  # contains, any_of


def _compare_order(op: str, value: Any, expected: list[Any]) -> bool:
    if op in ("is", "any_of"):
        return value in expected
    other = expected[0]
    return bool({"gt": value > other, "gte": value >= other, "lt": value < other, "lte": value <= other}.get(op))


def evaluate_formula(
    tree: list[Any], values: Mapping[str, Answer], scores: Mapping[str, Mapping[str, str]]
) -> Fraction | None:
    """Return the exact value of a formula, or None after a division by 0 or if the value is too large.

    `scores` are the scores of options, keyed by field and option.
    """
    kind = tree[0]
    if kind == "num":
        return Fraction(tree[1])
    if kind == "ref":
        return _to_number(values.get(tree[1]), scores.get(tree[1], {}))
    parts = [evaluate_formula(part, values, scores) for part in tree[1:] if isinstance(part, list)]
    if any(part is None for part in parts):
        return None
    numbers = [part for part in parts if part is not None]
    total = numbers[0]
    if kind == "neg":
        total = -total
    elif kind == "inv":
        if not total:
            return None
        total = 1 / total
    elif kind == "round":
        total = round_fraction(total, tree[2])
    elif kind in ("min", "max"):
        total = min(numbers) if kind == "min" else max(numbers)
    else:
        return _combine_numbers(kind, numbers)
    return total if _is_small(total) else None


def _combine_numbers(kind: str, numbers: list[Fraction]) -> Fraction | None:
    """Return the sum or the product, or None if it becomes too large."""
    total = numbers[0]
    for number in numbers[1:]:
        total = total + number if kind == "sum" else total * number
        if not _is_small(total):
            return None
    return total if _is_small(total) else None


def _is_small(value: Fraction) -> bool:
    return value.numerator.bit_length() <= MAX_BITS and value.denominator.bit_length() <= MAX_BITS


def _to_number(value: Answer, scores: Mapping[str, str]) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool):
        return Fraction(value)
    several = value if isinstance(value, list) else [value]
    return sum((Fraction(scores.get(item, "0")) for item in several if isinstance(item, str)), Fraction(0))
