"""Tools: typed functions that every channel offers in the same way.

    box = Toolbox("qr", "QR codes")

    @box.tool(
        "svc_qr_create",
        title="Create a QR code",
        about="Create a dynamic QR code. Returns its short link and SVG and PNG downloads.",
        short="Create a QR code whose destination can change later.",
    )
    def create(account: Account, name: Name, target_url: TargetUrl, folder: Folder | None = None) -> Answer[Code]:
        ...

`title`, `about`, `short` and `synonyms` are for people and models that look for a tool. The function's docstring, if it
has one, is for developers.

The decorator replaces the function with a `Tool`, which pages call as `tools.create`.

The first parameter is the account, and the others are the tool's arguments. A parameter without a default is required.
`= None` means that it is optional, and null in the API means the same. A trailing underscore (`from_`) is dropped from
the argument's name. Path, method and command follow from the tool's name.

A function whose first parameter is `caller` gets the Caller instead, with the person or key and the channel. A tool
that writes also has the argument `dry_run`, which the dispatcher handles: no function gets it.

`**fields: Unpack[CardFields]`, a TypedDict with `total=False`, declares arguments that the function gets only if they
were given, such as the changes of an edit. If one has `Field(default=…)`, the schema shows that default, but the
argument is still passed only if it was given.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model
from pydantic.fields import FieldInfo

from workspace.tools.answer import Answer
from workspace.tools.json_schema import simplify_schema

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

NAME_PATTERN = re.compile(r"^svc(_[a-z]+)+$")
MAX_NAME_LENGTH = 64  # the maximum in directories of MCP connectors
MAX_ABOUT_LENGTH = 300
MAX_SHORT_LENGTH = 80
DRY_RUN = "dry_run"
_DRY_RUN_DESCRIPTION = "Whether to preview without saving. Defaults to false."

# added by the dispatcher to the data of every write
_CHANGE_SCHEMA = {
    "change": {
        "description": "The change that svc_undo can revert, or null if nothing changed. `before` holds the previous "
        "values by the id of each item, and null for a new item.",
        "type": ["object", "null"],
        "properties": {
            "id": {"description": "Id of the change. Missing after a dry run.", "type": "string"},
            "before": {"type": "object"},
            "cannot_be_undone": {"description": "Reason, if the change cannot be undone.", "type": "string"},
        },
        "required": ["before"],
    },
    "dry_run": {"description": "Whether this was a preview that changed nothing.", "type": "boolean"},
}


@dataclass(frozen=True)
class Tool(Generic[T_co]):
    """An operation that returns data of a type.

    - `description` is its complete text for people and models, and `short` is its line in the list of agents, which
      read all tools before each conversation.
    - `synonyms` are words that people search for and that its other descriptions do not contain.
    - `reads`: it changes nothing.
    - `destructive`: it cannot be undone.
    - `idempotent`: repeating it has no further effect.
    - `prepare(account, arguments)` runs before the transaction and may raise a ToolError. It is for slow checks.
    - `unpacked_arguments` are the arguments that the function gets only if they were given.
    - `final` is the reason why its change cannot be undone, or "".
    - `area` decides who may call it (`accounts/permissions.py`).
    - `sends`: it emails people or calls another service.
    - `columns` are the columns of a list to show if there is little space, most important first, as one string.
    - `siblings` are the tools of its product, including itself.
    - `rare`: agents find it by searching, and do not get it in their list. It is called like any other tool.
    """

    name: str
    title: str
    description: str
    product: str
    product_title: str
    function: Callable[..., Answer[T_co]]
    reads: bool = False
    destructive: bool = False
    idempotent: bool = False
    prepare: Callable[[Any, Any], None] | None = None
    final: str = ""
    area: str = ""
    sends: bool = False
    columns: tuple[str, ...] = ()
    rare: bool = False
    short: str = ""
    synonyms: str = ""
    siblings: Sequence[Tool[Any]] = field(default=(), repr=False, compare=False)

    @property
    def name_parts(self) -> tuple[str, ...]:
        return tuple(self.name.split("_")[1:])

    @property
    def path(self) -> str:
        return "/api/v1/" + "/".join(self.name_parts)

    @property
    def method(self) -> str:
        return "GET" if self.reads else "POST"

    @cached_property
    def arguments(self) -> type[BaseModel]:
        return _build_arguments_model(self.name, self.function, writes=not self.reads)

    @cached_property
    def return_type(self) -> Any:
        return _return_type(self.function)

    @cached_property
    def unpacked_arguments(self) -> frozenset[str]:
        return frozenset(_unpacked_fields(self.function))

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        return simplify_schema(self.arguments.model_json_schema(by_alias=True))

    @cached_property
    def form_schema(self) -> dict[str, Any]:
        """The input schema with the arguments' labels, for forms."""
        return simplify_schema(self.arguments.model_json_schema(by_alias=True), with_labels=True)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        schema = simplify_schema(TypeAdapter(self.return_type).json_schema(mode="serialization"))
        return schema if self.reads else {**schema, "properties": {**schema.get("properties", {}), **_CHANGE_SCHEMA}}

    @property
    def hints(self) -> dict[str, bool]:
        return {
            "read_only": self.reads,
            "destructive": self.destructive,
            "idempotent": self.reads or self.idempotent,
            "open_world": self.sends,
        }

    @cached_property
    def _takes_caller(self) -> bool:
        return next(iter(inspect.signature(self.function).parameters)) == "caller"

    def run(self, caller: Any, arguments: BaseModel) -> Answer[T_co]:
        """Run the tool for a caller, which has an `account`."""
        left_out = {DRY_RUN, *(self.unpacked_arguments - arguments.model_fields_set)}
        given = {name: getattr(arguments, name) for name in type(arguments).model_fields if name not in left_out}
        return self.function(caller if self._takes_caller else caller.account, **given)


@dataclass
class Toolbox:
    """The tools of one product, in display order."""

    product: str
    title: str
    tools: list[Tool[Any]] = field(default_factory=list)

    def tool(
        self,
        name: str,
        *,
        title: str,
        about: str,
        short: str = "",
        synonyms: str = "",
        reads: bool = False,
        destructive: bool = False,
        idempotent: bool = False,
        prepare: Callable[[Any, Any], None] | None = None,
        final: str = "",
        area: str = "",
        sends: bool = False,
        columns: str = "",
        rare: bool = False,
    ) -> Callable[[Callable[..., Answer[T]]], Tool[T]]:
        if not NAME_PATTERN.match(name) or len(name) > MAX_NAME_LENGTH:
            raise ValueError(f"{name}: a tool is named svc_word_word, in at most {MAX_NAME_LENGTH} characters")
        if len(about) > MAX_ABOUT_LENGTH or len(short) > MAX_SHORT_LENGTH:
            raise ValueError(f"{name}: about has at most {MAX_ABOUT_LENGTH} characters, short {MAX_SHORT_LENGTH}")

        def add(function: Callable[..., Answer[T]]) -> Tool[T]:
            tool = Tool(
                name=name,
                title=title,
                description=about,
                short=short or title,
                synonyms=synonyms,
                product=self.product,
                product_title=self.title,
                function=function,
                reads=reads,
                destructive=destructive,
                idempotent=idempotent,
                prepare=prepare,
                final=final,
                area=area or self.product,
                sends=sends,
                columns=tuple(columns.split()),
                rare=rare,
                siblings=self.tools,
            )
            self.tools.append(tool)
            return tool

        return add

    def __iter__(self) -> Iterator[Tool[Any]]:
        return iter(self.tools)


def tools_from_modules(*modules: ModuleType) -> list[Tool[Any]]:
    """Return the tools that these modules declare, in the order of declaration."""
    named = (value for module in modules for value in vars(module).values() if isinstance(value, Tool))
    files = {module.__name__ for module in modules}
    return list(dict.fromkeys(tool for tool in named if tool.function.__module__ in files))


def _type_hints(function: Callable[..., Any]) -> dict[str, Any]:
    return typing.get_type_hints(function, include_extras=True)


def _build_arguments_model(name: str, function: Callable[..., Any], *, writes: bool) -> type[BaseModel]:
    hints = _type_hints(function)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.kind is parameter.VAR_KEYWORD:
            fields |= {name: (hint, _schema_default(hint)) for name, hint in _unpacked_fields(function).items()}
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        hint = hints[parameter.name]
        if default is None:
            hint = _without_none(hint)
        if parameter.name.endswith("_"):
            fields[parameter.name] = (hint, Field(default, alias=parameter.name.rstrip("_")))
        else:
            fields[parameter.name] = (hint, default)
    if writes:
        fields[DRY_RUN] = (bool, Field(False, description=_DRY_RUN_DESCRIPTION))
    config = ConfigDict(strict=True, extra="forbid", frozen=True)
    return create_model(name, __config__=config, **fields)


def _unpacked_fields(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the arguments of `**fields: Unpack[…]` with their types, or an empty dict."""
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            (fields,) = typing.get_args(_type_hints(function)[parameter.name])
            return typing.get_type_hints(fields, include_extras=True)
    return {}


def _schema_default(hint: Any) -> Any:
    """Return the default in the schema for an optional argument: that of its `Field`, or None."""
    field = FieldInfo.from_annotation(hint)
    return None if field.is_required() else field.default


def _without_none(hint: Any) -> Any:
    """Return `X | None` as X. Null is removed before validation, so schemas do not offer it."""
    rest = [part for part in typing.get_args(hint) if part is not type(None)]
    if len(rest) == len(typing.get_args(hint)) or not rest:
        return hint
    return typing.Union[tuple(rest)]  # noqa: UP007 - built at run time


def _return_type(function: Callable[..., Any]) -> Any:
    answer = _type_hints(function)["return"]
    (data,) = typing.get_args(answer)
    return data
