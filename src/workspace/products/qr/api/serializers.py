"""A code as data, the same in every answer, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, NotRequired

from django.conf import settings
from django.db.models import Count, QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import total_of
from workspace.lib import clock
from workspace.lib.text import escape_markdown, fold
from workspace.products.qr.domain.style import look_of
from workspace.products.qr.models import KIND, SCAN, Code, Retarget
from workspace.products.qr.rules import static_content
from workspace.publishing.serializers import (
    PUBLISHED,
    WIDTH,
    Addresses,
    PublishedRow,
    addresses_of,
    public_facts,
    published_row,
    row_of,
)
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.symbol import encode, least_width
from workspace.storage.database.compiled_query import Statement, given
from workspace.tools.answer import facts

MAX_FOLDERS = 200
MAX_RETARGETS = 50


DYNAMIC, STATIC = "dynamic", "static"
UNCHANGEABLE = "static: what is printed cannot be changed, and scans are not counted"


class CodeRow(PublishedRow):
    """A static code has no addresses, no slug and no scans; its state is `static`."""

    name: str
    kind: Annotated[str, Field(description="dynamic, or what a static code holds: wifi, contact, email …")]
    holds: Annotated[str, Field(description="What a static code holds, in words; empty for a dynamic one")]
    target_url: str
    folder: str
    total_scans: int
    printed_url: str


class RetargetRow(TypedDict):
    from_url: str
    to_url: str
    at: str | None


class CodeWhole(CodeRow, Addresses):
    fallback_url: str
    style: dict[str, Any]
    logo_id: str | None
    retargets: list[RetargetRow]
    inspect_url: str
    modules: NotRequired[Annotated[int, Field(description="Of a static code: modules a side; more content, more")]]
    least_cm: NotRequired[Annotated[float, Field(description="Of a static code: how wide to print it at least")]]


class FolderRow(TypedDict):
    folder: str
    codes: int


_LED = Statement(lambda: Retarget.objects.filter(code_id=given("code")).values_list("from_url", "to_url", "at"))


def rows(codes: QuerySet[Code]) -> list[CodeRow]:
    return [_row_of(columns) for columns in _columns(codes)]


def page_of(
    account: Account, *, q: str | None, folder: str | None, limit: int, offset: int
) -> tuple[list[CodeRow], int]:
    """Some of the account's codes, newest first, and how many there are; of those that match."""
    asked = {"account": account.pk, "q": fold(q) if q else None, "folder": folder}
    found, total = _listed(bool(q), folder is not None).page(limit=limit, offset=offset, **asked)
    return [_row_of(columns) for columns in found], total


@cache
def _listed(sought: bool, filed: bool) -> Statement[tuple[Any, ...]]:
    def words() -> QuerySet[Code, Any]:
        found = Code.objects.filter(account_id=given("account"))
        if sought:
            found = found.filter(search__contains=given("q"))
        if filed:
            found = found.filter(folder=given("folder"))
        return found

    return Statement(words, _columns)


def _columns(codes: QuerySet[Code]) -> QuerySet[Code, tuple[Any, ...]]:
    return codes.annotate(scans=total_of(SCAN)).values_list(
        *PUBLISHED, "name", "target_url", "folder", "content", "scans"
    )


def _row_of(columns: Sequence[Any]) -> CodeRow:
    return _row(row_of(KIND, *columns[:WIDTH]), *columns[WIDTH:])


def whole(code: Code) -> CodeWhole:
    """`code` as `code_of` finds it, or as it was made."""
    is_new = not hasattr(code, "scans")
    scans = 0 if is_new else code.scans  # type: ignore[attr-defined]
    found: CodeWhole = {
        **_row(published_row(code), code.name, code.target_url, code.folder, code.content, scans),
        **(files_of(code.pk) if code.is_static else addresses_of(code)),
        "fallback_url": code.fallback_url,
        "style": look_of(code)[0].model_dump(),
        "logo_id": code.logo_id,
        "retargets": [
            {"from_url": from_url, "to_url": to_url, "at": clock.iso(at)}
            for from_url, to_url, at in ([] if is_new else _LED.rows(code=code.pk, limit=MAX_RETARGETS))
        ],
        "inspect_url": "" if code.is_static else f"{code.public_url}+",
    }
    if code.is_static:
        found["modules"] = encode(code.symbol_text, with_logo=code.logo_id is not None).size
        found["least_cm"] = least_width(found["modules"])
    return found


def files_of(id: str) -> Addresses:
    """A static code may hold a password: its pictures are for its owner, who prints them."""
    made = f"{settings.BASE_URL}/files/qr/print?thing={id}&format="
    return {"svg_url": f"{made}svg", "png_url": f"{made}png", "slugs": []}


def _row(
    published: PublishedRow, name: str, target_url: str, folder: str, content: dict[str, Any], scans: int
) -> CodeRow:
    if content:
        published = {**published, "state": STATIC}
    return {
        **published,
        "name": name,
        "kind": content["kind"] if content else DYNAMIC,
        "holds": static_content.words_of(content) if content else "",
        "target_url": target_url,
        "folder": folder,
        "total_scans": scans,
        # as the symbol holds it, see `Published.symbol_text`
        "printed_url": published["public_url"].upper(),
    }


def line(found: CodeRow) -> str:
    folder = f" in {escape_markdown(found['folder'])}" if found["folder"] else ""
    if found["state"] == STATIC:
        holds = escape_markdown(found["holds"])
        return f"**{escape_markdown(found['name'])}**{folder}: {holds} ({UNCHANGEABLE}) `{found['id']}`"
    about = [f"{found['total_scans']} {'scan' if found['total_scans'] == 1 else 'scans'}", found["state"]]
    about += ["asks for a password"] if found["has_password"] else []
    about += [f"until {found['expires_at']}"] if found["expires_at"] else []
    return (
        f"**{escape_markdown(found['name'])}**{folder} → {found['target_url']} ({', '.join(about)}) "
        f"{found['public_url']}, printed as {found['printed_url']} `{found['id']}`"
    )


def words(found: CodeWhole, title: str) -> str:
    """Everything that the data holds."""
    pairs = {
        "kind": found["kind"],
        "holds": escape_markdown(found["holds"]),
        "leads to": found["target_url"],
        "while paused or expired": found["fallback_url"],
        "folder": escape_markdown(found["folder"]),
        "scans": UNCHANGEABLE if found["state"] == STATIC else found["total_scans"],
        **public_facts(found),
        "printed address": found["printed_url"],
        "SVG": found["svg_url"],
        "PNG": found["png_url"],
        "inspect page": found["inspect_url"],
        "addresses": ", ".join(found["slugs"]),
        "logo": found["logo_id"],
        "look": _look(found["style"]),
        "modules a side": found.get("modules"),
        "print it at least": f"{found['least_cm']} cm wide" if "least_cm" in found else "",
    }
    led = [f"- {change['at']}: from {change['from_url']} to {change['to_url']}" for change in found["retargets"]]
    return "\n".join([facts(title, pairs), *(["Where it led:", *led] if led else [])])


_AS_USUAL = Style().model_dump()


def _look(style: dict[str, Any]) -> str:
    """What is not as usual; but for the caption these are numbers and words of ours."""
    own = {name: value for name, value in style.items() if value != _AS_USUAL[name]}
    said = (f"{name} {escape_markdown(value) if name == 'caption' else value}" for name, value in own.items())
    return ", ".join(said) or "black on white, as usual"


def folders_of(account: Account) -> list[FolderRow]:
    """The account's folders by name, each with its number of codes; one query."""
    found = _FOLDERS.rows(account=account.pk, limit=MAX_FOLDERS)
    return [{"folder": folder, "codes": codes} for folder, codes in found]


_FOLDERS = Statement(
    lambda: (
        Code.objects.filter(account_id=given("account"), folder__gt="")
        .values_list("folder")
        .annotate(codes=Count("*"))
        .order_by("folder")
    )
)


def folder_words(folders: Sequence[FolderRow]) -> str:
    return ", ".join(f"{escape_markdown(one['folder'])} ({one['codes']})" for one in folders)
