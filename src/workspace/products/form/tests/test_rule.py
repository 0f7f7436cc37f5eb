"""Properties of all forms: a hidden field never appears in a response, and nothing depends on it."""

from __future__ import annotations

from typing import Any

from django.test import RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from workspace.products.form.domain.posted_answers import parse_post
from workspace.products.form.models import FormVersion
from workspace.products.form.public.context import FormView
from workspace.products.form.rules import regex_engine
from workspace.products.form.rules.evaluation import evaluate_form
from workspace.products.form.rules.form_input import parse_form
from workspace.products.form.rules.reachability import find_paths

TODAY = "2026-11-22"
TYPES = ("short_text", "number", "yes_no", "checkbox", "single_choice", "multi_choice")
SAID = st.one_of(
    st.none(), st.booleans(), st.sampled_from(["", " ", "A", "B", "0", "1", "2.5", "yes", "no"]),
    st.lists(st.sampled_from(["A", "B", "x"]), max_size=3),
)  # fmt: skip


@st.composite
def conditions(draw: Any, before: list[dict[str, Any]]) -> dict[str, Any]:
    field = draw(st.sampled_from(before))
    value: Any = {"number": 1, "yes_no": True, "checkbox": True}.get(field["type"], "A")
    op = draw(st.sampled_from(["is", "is_not", "is_empty", "is_answered"]))
    leaf = {"field": field["key"], op: True if op in ("is_empty", "is_answered") else value}
    return draw(st.sampled_from([leaf, {"not": leaf}, {"any": [leaf]}]))  # type: ignore[no-any-return]


@st.composite
def forms(draw: Any) -> list[dict[str, Any]]:
    pages: list[dict[str, Any]] = []
    known: list[dict[str, Any]] = []
    count = draw(st.integers(1, 4))
    for number in range(count):
        fields = []
        for place in range(draw(st.integers(1, 4))):
            key = f"f{number}{place}"
            field: dict[str, Any] = {"key": key, "label": key, "type": draw(st.sampled_from(TYPES))}
            if "choice" in field["type"]:
                field["options"] = [{"label": "A", "score": 3}, {"label": "B", "score": "0.1"}]
            if known and draw(st.booleans()):
                field["show_if"] = draw(conditions(known))
            if draw(st.booleans()):
                field["required"] = True
            fields.append(field)
            known.append(field)
        counted = [item["key"] for item in known if item["type"] not in ("short_text", "calculated")]
        if counted:
            formula = " + ".join(f"{{{key}}}" for key in counted)
            fields.append({"key": f"sum{number}", "label": "Sum", "type": "calculated", "formula": formula})
        page: dict[str, Any] = {"key": f"p{number}", "fields": fields}
        if number + 1 < count and draw(st.booleans()):
            target = draw(st.sampled_from([f"p{later}" for later in range(number + 1, count)] + ["end"]))
            leaps = [{"if": draw(conditions(known)), "go_to": target} for _ in range(draw(st.integers(1, 2)))]
            page["next"] = [*leaps, {"go_to": "end"}] if draw(st.booleans()) else leaps
        pages.append(page)
    return pages


@settings(max_examples=50, deadline=None)
@given(forms(), st.data())
def test_a_hidden_field_never_reaches_a_response_and_nothing_depends_on_it(pages: Any, data: Any) -> None:
    form, issues = parse_form(pages=pages)
    assert not issues
    keys = [field["key"] for page in form["pages"] for field in page["fields"]]
    answers = {key: data.draw(SAID) for key in keys}
    result = evaluate_form(form, answers, TODAY)
    assert set(result.stored_answers) <= set(result.visible)
    assert set(result.errors) | set(result.required) <= set(result.visible)
    assert set(result.visible) | set(result.hidden_by) == set(keys) and not set(result.visible) & set(result.hidden_by)
    order = [page["key"] for page in form["pages"]]
    assert result.pages == sorted(result.pages, key=order.index) and result.pages[0] == order[0]
    never = set(find_paths(form).unreachable)
    assert result.errors or not never & {*result.visible, *result.pages}
    hidden = {key: data.draw(SAID) for key in result.hidden_by}
    again = evaluate_form(form, {**answers, **hidden}, TODAY)
    assert again == result
    assert evaluate_form(form, result.stored_answers, TODAY).stored_answers == result.stored_answers or result.errors


@settings(max_examples=25, deadline=None)
@given(forms(), st.data())
def test_a_page_has_no_controls_of_hidden_fields_and_passes_on_all_others(pages: Any, data: Any) -> None:
    form, issues = parse_form(pages=pages)
    assert not issues
    keys = [field["key"] for page in form["pages"] for field in page["fields"] if field["type"] != "calculated"]
    typed = {key: data.draw(st.sampled_from(["", "A", "B", "1", "yes", "no"])) for key in keys}
    request = RequestFactory().post("/f/x", {f"f-{key}": value for key, value in typed.items()})
    answers = parse_post(request, form).answers
    outcome = evaluate_form(form, answers, TODAY)
    for now in outcome.pages:
        drawn = FormView(FormVersion(number=1, body=form), answers, outcome, now, TODAY).page_context()
        [page] = [page for page in drawn["pages"] if page["is_now"]]
        here = {field["key"] for field in page["fields"] if not field["is_off"] and field["how"] != "total"}
        imported = {name.removeprefix("f-") for name, _ in drawn["carried"]}
        assert here | imported <= set(outcome.visible) and not here & imported
        assert {key for key in outcome.values if key in keys} <= here | imported


@settings(max_examples=100, deadline=None)
@given(st.text("ab(|)[]*+?{}1,2.\\d^$-", max_size=30), st.text("ab12-.", max_size=200))
def test_patterns_are_small_and_invalid_ones_are_rejected(pattern: str, text: str) -> None:
    try:
        program = regex_engine.compile_pattern(pattern)
    except ValueError:
        return
    assert len(program) <= 2 * regex_engine.MAX_STEPS
    regex_engine.matches_pattern(program, text)
