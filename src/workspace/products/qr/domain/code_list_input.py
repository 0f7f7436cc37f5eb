"""Validating a list of codes to create and change, before anything is written. Each error has its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInputError, Issue, NotFoundError
from workspace.products.qr import messages
from workspace.products.qr.domain.code_style import load_logo, with_stored_style
from workspace.products.qr.domain.queries import codes_for
from workspace.products.qr.domain.scan_check import find_problem, get_scan_report, get_style_report
from workspace.products.qr.models import ADDRESS_FIELDS, KIND, Code
from workspace.products.qr.rules import static_content
from workspace.products.qr.rules.code_fields import SavedCode
from workspace.publishing.duplication import copy_fields
from workspace.publishing.messages import ADDRESS_TAKEN
from workspace.publishing.models import Address
from workspace.publishing.qr_style import default_style
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.symbol import encode_symbol
from workspace.tools.validation import MAX_ISSUES

MAX_STYLES = 10  # distinct styles in a list: two readers take half a second for each
MAX_SLUG_CHANGES = 20  # codes of a list that get a new slug
STYLE_FIELDS = ("preset", "logo_id", "copy_of")


@dataclass(slots=True)
class CodeListRequest:
    """A validated list.

    Styles are resolved: if an entry names a style, its fields have `style` and `logo_id`. New codes may still have
    `static`, which is encrypted when they are written.
    """

    new: dict[int, dict[str, Any]] = field(default_factory=dict)  # by position in the list
    existing: dict[int, tuple[Code, dict[str, Any]]] = field(default_factory=dict)
    removed: list[Code] = field(default_factory=list)
    verdicts: dict[int, str] = field(default_factory=dict)


def resolve_items(account: Account, items: Sequence[SavedCode], remove: Sequence[str]) -> CodeListRequest:
    """Validate the list.

    Raise InvalidInputError with all errors, or NotFoundError for an id that the account does not have. This runs a few
    queries. Checking new styles is slow, so also call this before the transaction. The results are then cached.
    """
    existing = _get_named_codes(account, items, remove)
    issues = [
        *_find_repeated_ids(items, remove),
        *find_repeated_slugs(items),
        *find_taken_slugs(items, existing),
        *_find_excess_slugs(items),
    ]
    list_request = CodeListRequest(removed=[existing[id] for id in dict.fromkeys(remove)])
    looks: dict[tuple[str, str, int], str] = {}
    for place, item in enumerate(items):
        code = existing.get(item.get("id", ""))
        fields = {name: value for name, value in item.items() if name not in ("id", *STYLE_FIELDS)}
        is_dressed = any(name in item for name in STYLE_FIELDS)
        model = existing.get(item.get("copy_of", "")) if code is None else None
        if (code or model or Code()).is_static:
            issues += [
                Issue(f"items.{place}.{name}", messages.STATIC_CODE_HAS_NO_LINK)
                for name in ADDRESS_FIELDS
                if name in item
            ]
        static = item.get("static")
        if static or is_dressed:
            look = _resolve_style(item, code, existing)
            fields |= look if is_dressed else {}
            text = static_content.build_symbol_text(static) if static else _static_text(code or model)
            key = (str(look["style"]), str(look["logo_id"]), encode_symbol(text).size if text else 0)
            if key not in looks and len(looks) == MAX_STYLES:
                issues.append(Issue(f"items.{place}", messages.TOO_MANY_STYLES(most=MAX_STYLES)))
                continue
            if key not in looks:
                looks[key] = _check_style(account, place, item, look, text, issues)
            list_request.verdicts[place] = looks[key]
        if code is not None:
            list_request.existing[place] = code, fields
        else:
            rest = _copied_fields(model, is_static=bool(static) or (model is not None and model.is_static))
            list_request.new[place] = {**rest, **fields}
    if issues:
        raise InvalidInputError(sorted(issues, key=lambda issue: int(issue.path.split(".")[1]))[:MAX_ISSUES])
    return list_request


def find_repeated_slugs(items: Sequence[Mapping[str, Any]], numbers: Sequence[int] | None = None) -> list[Issue]:
    """Return an issue for each entry that repeats an earlier slug. Messages mention line `numbers` if given."""
    issues: list[Issue] = []
    first: dict[str, int] = {}
    for index, slug in enumerate(item.get("slug") for item in items):
        if slug and (earlier := first.setdefault(slug, index)) != index:
            text = (
                messages.LINK_REPEATED_ON_LINES(slug=slug, first=numbers[earlier], second=numbers[index])
                if numbers
                else messages.SLUG_REPEATED(slug=slug, first=f"items.{earlier}")
            )
            issues.append(Issue(f"items.{index}.slug", text))
    return issues


def find_taken_slugs(items: Sequence[Mapping[str, Any]], existing: Mapping[str, Code] | None = None) -> list[Issue]:
    """Return an issue for each entry whose slug is or was used by another code of any account."""
    requested = {item["slug"]: index for index, item in enumerate(items) if item.get("slug")}
    addresses = Address.objects.filter(kind=KIND, slug__in=requested).values_list("slug", "publication_id")
    own = {slug: (existing or {}).get(items[index].get("id", "")) for slug, index in requested.items()}
    return [
        Issue(f"items.{requested[slug]}.slug", ADDRESS_TAKEN)
        for slug, publication in addresses
        if (code := own[slug]) is None or code.publication_id != publication
    ]


def _get_named_codes(account: Account, items: Sequence[SavedCode], remove: Sequence[str]) -> dict[str, Code]:
    """Return the codes that the list names, by id, in three queries."""
    paths = {item["id"]: f"items.{place}.id" for place, item in enumerate(items) if "id" in item}
    paths |= {item["copy_of"]: f"items.{place}.copy_of" for place, item in enumerate(items) if "copy_of" in item}
    paths |= {id: f"remove.{place}" for place, id in enumerate(remove)}
    existing: dict[str, Code] = (
        codes_for(account).select_related("account", "logo").in_bulk(list(paths)) if paths else {}
    )
    for id, path in paths.items():
        if id not in existing:
            raise NotFoundError(f"{path}: {messages.CODE_NOT_FOUND}")
    return existing


def _find_repeated_ids(items: Sequence[SavedCode], remove: Sequence[str]) -> list[Issue]:
    seen: set[str] = set()
    issues: list[Issue] = []
    for place, item in enumerate(items):
        if (id := item.get("id")) in seen or id in remove:
            issues.append(Issue(f"items.{place}.id", messages.CODE_REPEATED))
        elif id:
            seen.add(id)
    return issues


def _find_excess_slugs(items: Sequence[SavedCode]) -> list[Issue]:
    moved = [place for place, item in enumerate(items) if "id" in item and "slug" in item]
    return [
        Issue(f"items.{place}.slug", messages.TOO_MANY_SLUG_CHANGES(most=MAX_SLUG_CHANGES))
        for place in moved[MAX_SLUG_CHANGES:]
    ]


def _resolve_style(item: SavedCode, code: Code | None, existing: Mapping[str, Code]) -> dict[str, Any]:
    """Return the style and logo of the entry: its own, those of `copy_of`, or else those of the existing code."""
    model = existing.get(item.get("copy_of", "")) or code
    style = with_stored_style({"preset": item["preset"]})["style"] if "preset" in item else model.style if model else {}
    return {"style": style, "logo_id": item.get("logo_id", (model.logo_id if model else None) or "")}


def _copied_fields(model: Code | None, *, is_static: bool) -> dict[str, Any]:
    """Return the fields to copy from `copy_of`, except the style. A static code copies no fields about URLs."""
    left = {"style", "logo_id", *(ADDRESS_FIELDS if is_static else ())}
    return {name: value for name, value in copy_fields(model).items() if name not in left} if model else {}


def _static_text(code: Code | None) -> str:
    """Return a static code's symbol text, or "". Styles of other codes are checked with a URL of usual length."""
    return code.symbol_text if code is not None and code.is_static else ""


def _check_style(
    account: Account, number: int, item: SavedCode, item_style: dict[str, Any], text: str, issues: list[Issue]
) -> str:
    """Return the verdict on a style, with the `text` of a static code. If it would not scan, add an issue."""
    logo = Upload.find_image(account, item_style["logo_id"]) if item_style["logo_id"] else None
    if item_style["logo_id"] and logo is None:
        issues.append(Issue(f"items.{number}.logo_id", messages.UPLOAD_NOT_FOUND))
        return ""
    try:
        style = Style.model_validate(item_style["style"]) if item_style["style"] else default_style(account)[0]
        static_content.check_capacity(text, with_logo=logo is not None)
        report = get_scan_report(style, text, load_logo(logo)) if text else get_style_report(style, load_logo(logo))
        problem = find_problem(report)
    except ValueError as unsafe:  # includes UnsafeStyleError
        problem = str(unsafe)
    if problem:
        path = next(name for name in ("logo_id", "preset", "copy_of", "static") if name in item)
        issues.append(Issue(f"items.{number}.{path}", messages.UNSCANNABLE(problem=problem)))
        return ""
    return report.verdict
