"""Argument types of the QR code tools."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from workspace.products.qr import messages
from workspace.products.qr.domain.scan_check import find_problem, get_style_report
from workspace.products.qr.rules.code_fields import CodeFields, SavedCode
from workspace.publishing.shared_item_arguments import Publishing
from workspace.qr_symbols.style import Style
from workspace.tools.argument_types import Id, build_validation_error, require_when_new

CodeId = Annotated[Id, Field(description="QR code ID, from svc_qr_list or svc_qr_create.")]


def _check_scannable(style: Style) -> Style:
    """Check a style with two readers while the arguments are validated.

    This takes about half a second, so it must not run inside a transaction.
    """
    if problem := find_problem(get_style_report(style)):
        raise ValueError(str(messages.UNSCANNABLE(problem=problem)))
    return style


SafeStyle = Annotated[
    Style,
    AfterValidator(_check_scannable),
    Field(
        description=(
            "Complete design. Omitted fields are reset to their defaults. Designs that would not scan are rejected."
        )
    ),
]


class CodeChanges(CodeFields, Publishing, total=False):
    style: SafeStyle


def _check_static_fields(entry: Any) -> Any:
    """Check that a new code has a target or static content. The content of an existing static code is fixed."""
    if not isinstance(entry, dict):
        return entry
    faults: dict[str, str] = {}
    if "static" not in entry:
        return entry
    if entry.get("id") is not None:
        faults["static"] = str(messages.CONTENT_IS_FIXED)
    for name in ("target_url", "fallback_url", "slug"):
        if name in entry:
            faults[name] = str(messages.STATIC_CODE_HAS_NO_LINK)
    if faults:
        raise build_validation_error(faults, entry)
    return entry


CodeEntry = Annotated[
    SavedCode,
    BeforeValidator(_check_static_fields),
    require_when_new("name", "target_url", unless="copy_of", instead={"target_url": "static"}),
]
