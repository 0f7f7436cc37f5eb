"""Serializers of codes, which all answers use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, NotRequired

from django.conf import settings
from django.db.models import Count, QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import total_column
from workspace.lib import clock
from workspace.lib.text import search_key
from workspace.products.qr.domain.code_style import resolve_style
from workspace.products.qr.models import KIND, SCAN_EVENT, Code, DestinationChange
from workspace.products.qr.rules import static_content
from workspace.publishing.serializers import (
    SUMMARY_COLUMN_COUNT,
    SUMMARY_COLUMNS,
    ItemSummary,
    ItemUrls,
    build_item_summary,
    item_summary,
    item_urls,
)
from workspace.qr_symbols.symbol import encode_symbol, min_print_width
from workspace.storage.database.compiled_query import CompiledQuery, parameter

MAX_FOLDERS = 200
MAX_DESTINATION_CHANGES = 50


DYNAMIC, STATIC = "dynamic", "static"


class CodeSummary(ItemSummary):
    """A QR code.

    A static code has no URLs, no slug and no scans, and its state is `static`.
    """

    name: str
    kind: Annotated[str, Field(description="dynamic, or the kind of a static code, such as wifi.")]
    holds: Annotated[str, Field(description="Content of a static code as text. Empty for a dynamic one.")]
    target_url: str
    folder: str
    total_scans: int
    printed_url: str


class DestinationChangeData(TypedDict):
    from_url: str
    to_url: str
    at: str | None


class CodeDetail(CodeSummary, ItemUrls):
    fallback_url: str
    style: dict[str, Any]
    logo_id: str | None
    retargets: list[DestinationChangeData]
    inspect_url: str
    modules: NotRequired[
        Annotated[int, Field(description="For static codes: modules per side. More content needs more modules.")]
    ]
    least_cm: NotRequired[Annotated[float, Field(description="For static codes: minimum width in print, in cm.")]]


class FolderData(TypedDict):
    folder: str
    codes: int


_CHANGES_QUERY = CompiledQuery(
    lambda: DestinationChange.objects.filter(code_id=parameter("code")).values_list("from_url", "to_url", "created_at")
)


def code_summaries(codes: QuerySet[Code]) -> list[CodeSummary]:
    return [_summary_from_columns(columns) for columns in _select_columns(codes)]


def search_codes(
    account: Account, *, q: str | None, folder: str | None, limit: int, offset: int
) -> tuple[list[CodeSummary], int]:
    """Return a page of the matching codes, newest first, and the number of all matches."""
    parameters = {"account": account.pk, "q": search_key(q) if q else None, "folder": folder}
    rows, total = _build_page_query(bool(q), folder is not None).fetch_page(limit=limit, offset=offset, **parameters)
    return [_summary_from_columns(columns) for columns in rows], total


@cache
def _build_page_query(has_query: bool, has_folder: bool) -> CompiledQuery[tuple[Any, ...]]:
    def build_query() -> QuerySet[Code, Any]:
        result = Code.objects.filter(account_id=parameter("account"))
        if has_query:
            result = result.filter(search__contains=parameter("q"))
        if has_folder:
            result = result.filter(folder=parameter("folder"))
        return result

    return CompiledQuery(build_query, _select_columns)


def _select_columns(codes: QuerySet[Code]) -> QuerySet[Code, tuple[Any, ...]]:
    return codes.annotate(scans=total_column(SCAN_EVENT)).values_list(
        *SUMMARY_COLUMNS, "name", "target_url", "folder", "content", "scans"
    )


def _summary_from_columns(columns: Sequence[Any]) -> CodeSummary:
    return _code_summary(build_item_summary(KIND, *columns[:SUMMARY_COLUMN_COUNT]), *columns[SUMMARY_COLUMN_COUNT:])


def code_detail(code: Code) -> CodeDetail:
    """Return all data of a code that was loaded with `get_code` or was just created."""
    is_new = not hasattr(code, "scans")
    scans = 0 if is_new else code.scans  # type: ignore[attr-defined]
    code_detail: CodeDetail = {
        **_code_summary(item_summary(code), code.name, code.target_url, code.folder, code.content, scans),
        **(print_urls(code.pk) if code.is_static else item_urls(code)),
        "fallback_url": code.fallback_url,
        "style": resolve_style(code)[0].model_dump(),
        "logo_id": code.logo_id,
        "retargets": [
            {"from_url": from_url, "to_url": to_url, "at": clock.to_iso(at)}
            for from_url, to_url, at in (
                [] if is_new else _CHANGES_QUERY.fetch_rows(code=code.pk, limit=MAX_DESTINATION_CHANGES)
            )
        ],
        "inspect_url": "" if code.is_static else f"{code.public_url}+",
    }
    if code.is_static:
        code_detail["modules"] = encode_symbol(code.symbol_text, with_logo=code.logo_id is not None).size
        code_detail["least_cm"] = min_print_width(code_detail["modules"])
    return code_detail


def print_urls(id: str) -> ItemUrls:
    """Return the URLs of a static code's pictures.

    Only the owner can open them, because the code may contain a password.
    """
    made = f"{settings.BASE_URL}/files/qr/print?thing={id}&format="
    return {"svg_url": f"{made}svg", "png_url": f"{made}png", "slugs": []}


def _code_summary(
    published: ItemSummary, name: str, target_url: str, folder: str, content: dict[str, Any], scans: int
) -> CodeSummary:
    if content:
        published = {**published, "state": STATIC}
    return {
        **published,
        "name": name,
        "kind": content["kind"] if content else DYNAMIC,
        "holds": static_content.describe_content(content) if content else "",
        "target_url": target_url,
        "folder": folder,
        "total_scans": scans,
        # as in the symbol, see `Published.symbol_text`
        "printed_url": published["public_url"].upper(),
    }


def folders_for(account: Account) -> list[FolderData]:
    """Return the account's folders by name and the number of codes in each, with one query."""
    rows = _FOLDERS_QUERY.fetch_rows(account=account.pk, limit=MAX_FOLDERS)
    return [{"folder": folder, "codes": codes} for folder, codes in rows]


_FOLDERS_QUERY = CompiledQuery(
    lambda: (
        Code.objects.filter(account_id=parameter("account"), folder__gt="")
        .values_list("folder")
        .annotate(codes=Count("*"))
        .order_by("folder")
    )
)
