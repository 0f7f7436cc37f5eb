"""A form for a tool: a template lays it out, the tool's schema constrains it, and the tool validates it.

A view uses it like this:

    form = ToolForm(CREATE, request, labels={"target_url": "Link"})
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"/app/qr/{answer.data['id']}")
    return render(request, "qr/owner/new.html", {"form": form}, status=form.status)
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.brand.models import Brand
from workspace.dashboard.form_arguments import TOKEN_FIELD, build_arguments, find_unreadable_numbers, parse_form
from workspace.dashboard.json_schema import Constraints, Schema, constraints_at, item_schema, node_at
from workspace.lib import number_fields, number_parser
from workspace.lib.errors import ConflictError, InvalidInputError, ToolError, UnavailableError
from workspace.owner_translation import OwnerText
from workspace.tools.answer import Answer
from workspace.tools.json_schema import LABEL_KEY
from workspace.tools.tool import Tool
from workspace.tools.validation import validate_arguments

_ABBREVIATIONS = {"url": "URL", "id": "ID", "qr": "QR"}
_MAX_RETRIES, _RETRY_DELAY = 10, 0.1  # how long a second click waits for the first one's answer: attempts, seconds


@dataclass(frozen=True, slots=True)
class FormField:
    """An argument on the page: `name` and `id` for HTML, the `value` to show, and the schema's constraints."""

    name: str
    id: str
    label: str
    value: Any
    limits: Constraints
    errors: tuple[str, ...]
    is_required: bool = False  # whether the browser may require a value
    currency: str = ""  # the currency of an amount, or another kind of number

    @property
    def text(self) -> str:
        """The value as text for an input."""
        if self.value is None:
            return ""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        if isinstance(self.value, float):
            return number_parser.format_for_input(self.value)
        return json.dumps(self.value, ensure_ascii=False) if isinstance(self.value, (dict, list)) else str(self.value)

    @property
    def texts(self) -> list[str]:
        """The values of a list, as strings."""
        return [str(one) for one in self.value] if isinstance(self.value, list) else []


class ToolForm:
    """The form of a tool for a request.

    `initial` contains the values shown at first, which are the current state if `editing` is true. `fixed` contains
    arguments set by the URL, such as an id. `labels` has labels for the page's own fields, and for paths whose label
    here differs from their `Label`. `amounts` maps paths without row numbers (`variants.price`) to a currency or
    another kind of number (`lib/number_fields.py`).

    With `entry`, the form edits an entry of the list that the tool accepts under this name: `entry="items"`. Its fields
    are those of the entry. `entry_fixed` contains its members that the URL sets, such as an item's id. `ids` is the
    prefix of the ids of its fields, which must differ if a page has two forms.
    """

    def __init__(
        self,
        tool: Tool[Any],
        request: HttpRequest,
        *,
        initial: Mapping[str, Any] | None = None,
        fixed: Mapping[str, Any] | None = None,
        editing: bool = False,
        labels: Mapping[str, OwnerText] | None = None,
        amounts: Mapping[str, str] | None = None,
        entry: str = "",
        entry_fixed: Mapping[str, Any] | None = None,
        ids: str = "f",
    ) -> None:
        self.tool = tool
        self.ids = ids
        self.entry = entry
        self.entry_fixed = dict(entry_fixed or {})
        self.schema = _entry_schema(tool, entry)
        self.initial = dict(initial or {})
        self.fixed = dict(fixed or {})
        self.editing = editing
        self.labels: dict[str, OwnerText] = dict(labels or {})
        self.is_bound = request.method == "POST"
        self.amounts = dict(amounts or {})
        self.values = (
            parse_form(self.schema, request.POST, self.amounts, _account_country(request))
            if self.is_bound
            else self.initial
        )
        given = request.POST.get(TOKEN_FIELD, "") if self.is_bound else ""
        self.token = given if 0 < len(given) <= 64 else secrets.token_urlsafe(18)
        self.errors: dict[str, tuple[str, ...]] = {}
        self.error = ""
        self._error_status = 0

    @property
    def status(self) -> int:
        """The HTTP status of the page with the form."""
        return self._error_status or (422 if self.errors or self.error else 200)

    @property
    def arguments(self) -> dict[str, Any]:
        """The tool's arguments, built from the form's values."""
        given = build_arguments(self.schema, self.values, editing=self.editing, initial=self.initial)
        return {**({self.entry: [{**given, **self.entry_fixed}]} if self.entry else given), **self.fixed}

    def submit(self, caller: Caller) -> Answer[Any] | None:
        """Call the tool with the posted values and return its answer.

        Return None if nothing was posted, or if the tool raised an error. In that case, `errors` contains the messages
        by path, and `error` a general message.
        """
        if not self.is_bound:
            return None
        problems = find_unreadable_numbers(self.values)
        try:
            if not problems:
                return self._execute_tool(caller, self.arguments)
            validate_arguments(self.tool, self.arguments)  # to find the other errors
        except InvalidInputError as refusal:
            for issue in refusal.issues:
                path = issue.path.removeprefix(f"{self.entry}.0").removeprefix(".") if self.entry else issue.path
                self.add_error(path, problems.pop(path, issue.message))
        except UnavailableError as refusal:
            # the form retains what was typed, so that it can be sent again
            self.error, self._error_status = refusal.message, refusal.status
        except ToolError as refusal:
            self.error = refusal.message
        for path, problem in problems.items():
            self.add_error(path, problem)
        return None

    def add_error(self, path: str, message: str) -> None:
        """Add a message to a field, or to the whole form if the path is empty or fixed."""
        if not path or path.split(".")[0] in {*self.fixed, *self.entry_fixed}:
            self.error = message
        else:
            self.errors[path] = (*self.errors.get(path, ()), message)

    def get_value(self, path: str) -> Any:
        """Return the form's value at a dotted path, or None."""
        return _value_at(self.values, path)

    def set_value(self, path: str, value: Any) -> None:
        """Set the form's value at a dotted path. Lists are extended up to the index."""
        *above, last = path.split(".")
        place: Any = self.values
        for part in above:
            if isinstance(place, list):
                place.extend({} for _ in range(int(part) + 1 - len(place)))
                place = place[int(part)]
            else:
                place = place.setdefault(part, [] if (*above, last)[above.index(part) + 1].isdigit() else {})
        place[last] = value

    def get_field(self, path: str, label: OwnerText = "") -> FormField:
        """Return the field at a dotted path. Raise KeyError if the tool does not have it."""
        limits = constraints_at(self.schema, path)
        value = _value_at(self.values, path)
        if value is None and not self.is_bound:
            value = limits.default
        if label and path not in self.labels and not limits.label:
            self.labels[path] = label
        return FormField(
            path,
            field_id(path, self.ids),
            str(label or self.label_for(path)),
            value,
            limits,
            self.errors.get(path, ()),
            limits.required,
            number_fields.kind_for_path(path, self.amounts),
        )

    def list_rows(self, path: str, spare: int = 1) -> list[FormRow]:
        """Return the rows of a list of objects, followed by up to `spare` empty ones if the list may grow."""
        limits = constraints_at(self.schema, path)
        present = _value_at(self.values, path)
        count = len(present) if isinstance(present, list) else 0
        most = count + spare if limits.max_items is None else max(count, min(count + spare, limits.max_items))
        return [FormRow(self, path, number, is_spare=number >= count) for number in range(most)]

    def label_for(self, path: str) -> str:
        """Return the label of a path: the form's own, the argument's declared one, or one built from the last name.

        `links.0.url` becomes URL 1.
        """
        if path in self.labels:
            return str(self.labels[path])
        parts = path.split(".")
        numbers = [str(int(part) + 1) for part in parts if part.isascii() and part.isdigit()]
        names = [part for part in parts if not (part.isascii() and part.isdigit())]
        words = str(self.labels.get(".".join(names)) or self._declared_label(parts))
        words = words or label_from_name(names[-1] if names else path)
        return f"{words} {'.'.join(numbers)}" if numbers else words

    def _declared_label(self, parts: list[str]) -> str:
        """Return the label that the argument at a path declares. A row of a list has the label of the list."""
        while parts and parts[-1].isdigit():
            parts = parts[:-1]
        node = node_at(self.schema, ".".join(parts)) if parts else None
        return str((node or {}).get(LABEL_KEY, ""))

    def error_summary(self) -> list[tuple[str, str, str]]:
        """Return the errors as (field id, label, message), in the order of the tool's errors."""
        return [
            (field_id(path, self.ids), self.label_for(path), message)
            for path, messages in self.errors.items()
            for message in messages
        ]

    def _execute_tool(self, caller: Caller, arguments: dict[str, Any]) -> Answer[Any]:
        if self.tool.reads or self.tool.idempotent:
            return execute_tool(self.tool, caller, arguments)
        for _ in range(_MAX_RETRIES):
            try:
                return execute_tool(self.tool, caller, arguments, idempotency_key=self._idempotency_key(arguments))
            except ConflictError:
                time.sleep(_RETRY_DELAY)
        return execute_tool(self.tool, caller, arguments, idempotency_key=self._idempotency_key(arguments))

    def _idempotency_key(self, arguments: dict[str, Any]) -> str:
        """Build a key from the token and the arguments.

        A second click repeats the same call. After going back and changing a field, a new call is made.
        """
        key_source = json.dumps([self.token, self.tool.name, arguments], sort_keys=True, default=str)
        return "form:" + hashlib.sha256(key_source.encode()).hexdigest()


def _account_country(request: HttpRequest) -> str:
    account = getattr(request, "account", None)
    return "" if account is None else Brand.for_account(account).country


def _entry_schema(tool: Tool[Any], entry: str) -> Schema:
    """Return the schema of the tool's arguments, or of an entry of one of them."""
    whole = tool.form_schema
    if not entry:
        return whole
    return {**item_schema(whole, node_at(whole, entry) or {}), "$defs": whole.get("$defs", {})}


@dataclass(frozen=True, slots=True)
class FormRow:
    """An entry of a list of objects, which template tags use like a form. A spare entry does not exist yet."""

    form: ToolForm
    path: str
    number: int
    is_spare: bool = False

    def get_field(self, name: str, label: OwnerText = "") -> FormField:
        """Return a member's field.

        Its label has no row number; only the error summary adds it. The browser does not require a value, because a
        spare row is empty.
        """
        one = self.form.get_field(f"{self.path}.{self.number}.{name}")
        label = label or self.form.labels.get(f"{self.path}.{name}") or one.limits.label
        label = label or label_from_name(name.rpartition(".")[2])
        return replace(one, label=str(label), is_required=False)


def label_from_name(name: str) -> str:
    """Turn an argument's name into a label: `target_url` becomes Target URL."""
    words = name.replace("_", " ").capitalize().split(" ")
    return " ".join(_ABBREVIATIONS.get(word.lower(), word) for word in words)


def field_id(path: str, begin: str = "f") -> str:
    """Return the HTML id of the field at a dotted path."""
    return f"{begin}-{path.replace('.', '-')}"


def _value_at(values: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(values, dict):
            values = values.get(part)
        elif isinstance(values, list) and part.isascii() and part.isdigit() and int(part) < len(values):
            values = values[int(part)]
        else:
            return None
    return values


def text_inputs(form: ToolForm, name: str, max_count: int) -> list[dict[str, str]]:
    """Return the inputs of a list of strings: the filled ones, then empty ones up to `max_count`."""
    texts = form.get_field(name).texts[:max_count]
    return [
        {
            "id": f"f-{name}-{number}",
            "text": text,
            "error": ". ".join(form.errors.get(f"{name}.{number}", ())),
        }
        for number, text in enumerate([*texts, *[""] * (max_count - len(texts))])
    ]
