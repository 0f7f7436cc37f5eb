"""The context of a form's guest page: the current page as controls, and the others for the script.

Hidden fields and other pages are in `template` elements for the script. Browsers without scripts submit their answers
in hidden controls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from workspace.products.form.domain import error_messages
from workspace.products.form.domain.posted_answers import DRAWING_SUFFIX, FIELD_PREFIX, OTHER_SUFFIX
from workspace.products.form.models import FormVersion
from workspace.products.form.public.controls import build_control, format_total
from workspace.products.form.rules import field_types
from workspace.products.form.rules.evaluation import EvaluationResult
from workspace.products.form.rules.numbers import DEFAULT_DECIMALS, format_number

Definition = Mapping[str, Any]
# the settings of a field that the browser's evaluation needs
_RULE_SETTINGS = ("key", "type", "required", "min", "max", "step", "whole", "decimals", "min_length", "max_length",
                  "program",
          "max_files", "max_mb", "show_if", "require_if", "section", "tree", "scores", "other")  # fmt: skip


@dataclass(slots=True)
class FormView:
    """A view of a form.

    `answers` are as typed, `files` are the names of uploaded files by id, `errors` are messages by key, and `note` is a
    message about the whole form. `changed_fields` are fields that became visible or whose calculated value changed with
    the answers.
    """

    version: FormVersion
    answers: Mapping[str, Any]
    outcome: EvaluationResult
    current_page: str
    today: str
    errors: dict[str, str] = field(default_factory=dict)
    note: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    changed_fields: Sequence[str] = ()

    @property
    def definition(self) -> Definition:
        return self.version.body

    def page_context(self) -> dict[str, Any]:
        pages = self.definition["pages"]
        place = next(number for number, page in enumerate(pages) if page["key"] == self.current_page)
        reached = self.outcome.pages
        here = reached.index(self.current_page) if self.current_page in reached else 0
        drawn = [self._present_page(page) for page in pages]
        return {
            "version": self.version.number,
            "pages": drawn,
            "now": self.current_page,
            "at": place + 1,
            "of": len(pages),
            "way": gettext("Page [at] of [of]").replace("[at]", str(place + 1)).replace("[of]", str(len(pages))),
            "is_first": here == 0,
            # if a jump depends on answers on this page, only submitting it decides
            "is_last": here == len(reached) - 1 and not any(leap.get("if") for leap in pages[place].get("next", ())),
            "seen": " ".join(self.visible_fields),
            "carried": [
                control for page in pages if page["key"] != self.current_page for control in self._hidden_controls(page)
            ],
            "wrong": self._list_problems(),
            "note": self.note,
            "takes_signatures": any(field["type"] == "signature" for page in pages for field in page["fields"]),
            "rule": json_attribute(build_script_rules(self.definition)),
            "words": json_attribute(
                error_messages.list_phrases({field["type"] for page in pages for field in page["fields"]})
            ),
            "today": self.today,
        }

    @property
    def visible_fields(self) -> list[str]:
        """The fields on the page, in the format of `FormPost.visible_fields`."""
        return list(list_visible_fields(self.definition, self.current_page, self.outcome))

    def _present_page(self, page: Definition) -> dict[str, Any]:
        is_now = page["key"] == self.current_page
        return {
            "key": page["key"],
            "title": page["title"],
            "is_now": is_now,
            "fields": [
                build_control(
                    field,
                    self.answers.get(field["key"]),
                    problem=self.errors.get(field["key"], ""),
                    is_disabled=is_now and field["key"] not in self.outcome.visible,
                    is_required=bool(field.get("required")) or field["key"] in self.outcome.required,
                    total=self.outcome.values.get(field["key"]) if field["type"] == "calculated" else None,
                    files=self.files,
                    today=self.today,
                )
                for field in page["fields"]
            ],
        }

    def _hidden_controls(self, page: Definition) -> Iterator[tuple[str, str]]:
        """Yield the names and values of hidden controls.

        Only visible fields have them, even after guests have changed their answers.
        """
        for form_field in page["fields"]:
            key, value = form_field["key"], self.answers.get(form_field["key"])
            if form_field["type"] == "calculated" or value is None or key not in self.outcome.visible:
                continue
            results = list(_control_values(FIELD_PREFIX + key, form_field, value))
            # a default value must not come back after the guest has cleared it
            yield from results or ([(FIELD_PREFIX + key, "")] if "default" in form_field else [])

    def _list_problems(self) -> list[dict[str, str]]:
        return [
            {
                "name": FIELD_PREFIX + field["key"],
                "label": field["label"],
                "problem": self.errors.get(field["key"]) or self._format_total(field),
            }
            for page in self.definition["pages"]
            for field in page["fields"]
            if field["key"] in self.errors or field["key"] in self.changed_fields
        ]

    def _format_total(self, item: Mapping[str, Any]) -> str:
        if item["type"] != "calculated":
            return ""
        return format_total(self.outcome.values.get(item["key"]), item.get("decimals", DEFAULT_DECIMALS))


def list_visible_fields(definition: Definition, now: str, outcome: EvaluationResult) -> Iterator[str]:
    page = next(page for page in definition["pages"] if page["key"] == now)
    for form_field in page["fields"]:
        key, family = form_field["key"], field_types.answer_family(form_field["type"])
        if (
            key not in outcome.visible
            or family == field_types.NOTHING
            or (form_field.get("hidden") and form_field["type"] != "calculated")
        ):
            continue
        if form_field["type"] != "calculated":
            yield key
        elif isinstance(value := outcome.values.get(key), Fraction):
            yield f"{key}={format_number(outcome.round_value(key, value))}"


def _control_values(name: str, item: Mapping[str, Any], value: Any) -> Iterator[tuple[str, str]]:
    if field_types.answer_family(item["type"]) == field_types.SIGNATURE and isinstance(value, Mapping):
        yield name, str(value.get("name") or "")
        if value.get("drawn"):
            yield name + DRAWING_SUFFIX, json.dumps(value["drawn"], separators=(",", ":"))
        return
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, Mapping):
            yield name, OTHER_SUFFIX
            yield name + OTHER_SUFFIX, str(part.get("other", ""))
        elif isinstance(part, bool):
            yield name, "yes" if part else "no"
        elif part != "":
            yield name, str(part)


def build_script_rules(definition: Definition) -> dict[str, Any]:
    """Return the form's definition for the script. It has no texts, because those are in the markup."""
    return {
        "pages": [
            {
                "key": page["key"],
                "fields": [_field_rule(field) for field in page["fields"]],
                **_field_order(page),
                **({"next": page["next"]} if page.get("next") else {}),
            }
            for page in definition["pages"]
        ]
    }


def _field_order(page: Definition) -> dict[str, Any]:
    """Return the order of evaluation if it differs from the order of display."""
    usual = [field["key"] for field in page["fields"]] == page["order"]
    return {} if usual else {"order": page["order"]}


def _field_rule(item: Mapping[str, Any]) -> dict[str, Any]:
    result = {name: item[name] for name in _RULE_SETTINGS if name in item}
    if "options" in item:
        result["options"] = [{"value": option["value"]} for option in item["options"]]
    return result


def has_logic(definition: Definition) -> bool:
    """Return whether visibility, requirements or calculations depend on answers."""
    pages: Sequence[Any] = definition["pages"]
    return len(pages) > 1 or any(
        name in field
        for page in pages
        for field in page["fields"]
        for name in ("show_if", "require_if", "tree", "section")
    )


def json_attribute(value: Any) -> SafeString:
    """Return JSON for use in an attribute in single quotes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return mark_safe(text.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;"))


def find_preview_page(definition: Definition, step: str) -> str:
    """Return the key of the page to preview for `step`.

    `step` is the key of a question, or `@` followed by the key of a page. If neither exists, return the first page.
    """
    pages = definition["pages"]
    for page in pages:
        if step == f"@{page['key']}" or any(field["key"] == step for field in page["fields"]):
            return str(page["key"])
    return str(pages[0]["key"])


def find_reached_page(outcome: EvaluationResult, requested: str) -> str:
    """Return the requested page if the guest has reached it, or else the last page that the guest has reached."""
    return requested if requested in outcome.pages else outcome.pages[-1]
