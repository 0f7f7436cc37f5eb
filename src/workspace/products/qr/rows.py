"""A code as data, the same in every answer, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.qr.models import SCAN, Code
from workspace.publishing.rows import Addresses, PublishedRow, addresses_of, one, public_facts, published_row, shown
from workspace.publishing.statistics import totals
from workspace.symbols.style import Style
from workspace.toolkit import clock
from workspace.toolkit.answer import facts
from workspace.toolkit.text import escape_markdown

MAX_FOLDERS = 200
MAX_RETARGETS = 50
MISSING = "There is no such QR code: svc_qr_list shows yours with their ids"


class CodeRow(PublishedRow):
    name: str
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


class FolderRow(TypedDict):
    folder: str
    codes: int


def codes_of(account: Account) -> QuerySet[Code]:
    """The account's codes with all that a row shows: three queries, however many there are."""
    return shown(account.codes.all())


def code_of(account: Account, id: str) -> Code:
    """Raises NotFound for a code that there is not, or that is another account's."""
    return one(codes_of(account).select_related("account", "logo"), id, MISSING)


def rows(codes: Iterable[Code]) -> list[CodeRow]:
    codes = list(codes)
    tallies = totals([code.publication_id for code in codes], SCAN)
    return [_row(code, tallies[code.publication_id].total) for code in codes]


def whole(code: Code) -> CodeWhole:
    [found] = rows([code])
    return {
        **found,
        **addresses_of(code),
        "fallback_url": code.fallback_url,
        "style": code.looks.model_dump(),
        "logo_id": code.logo_id,
        "retargets": [
            {"from_url": change.from_url, "to_url": change.to_url, "at": clock.iso(change.at)}
            for change in code.retargets.all()[:MAX_RETARGETS]
        ],
        "inspect_url": f"{code.public_url}+",
    }


def _row(code: Code, scans: int) -> CodeRow:
    return {
        **published_row(code),
        "name": code.name,
        "target_url": code.target_url,
        "folder": code.folder,
        "total_scans": scans,
        "printed_url": code.printed_url,
    }


def line(found: CodeRow) -> str:
    folder = f" in {escape_markdown(found['folder'])}" if found["folder"] else ""
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
        "leads to": found["target_url"],
        "while paused or expired": found["fallback_url"],
        "folder": escape_markdown(found["folder"]),
        "scans": found["total_scans"],
        **public_facts(found),
        "printed address": found["printed_url"],
        "SVG": found["svg_url"],
        "PNG": found["png_url"],
        "inspect page": found["inspect_url"],
        "addresses": ", ".join(found["slugs"]),
        "logo": found["logo_id"],
        "look": _look(found["style"]),
    }
    led = [f"- {change['at']}: from {change['from_url']} to {change['to_url']}" for change in found["retargets"]]
    return "\n".join([facts(title, pairs), *(["Where it led:", *led] if led else [])])


def _look(style: dict[str, Any]) -> str:
    """What is not as usual; but for the caption these are numbers and words of ours."""
    own = Style.model_validate(style).model_dump(exclude_defaults=True)
    said = (f"{name} {escape_markdown(value) if name == 'caption' else value}" for name, value in own.items())
    return ", ".join(said) or "black on white, as usual"


def folders_of(account: Account) -> list[FolderRow]:
    """The account's folders by name, each with its number of codes; one query."""
    found = account.codes.exclude(folder="").values_list("folder").annotate(codes=Count("id")).order_by("folder")
    return [{"folder": folder, "codes": codes} for folder, codes in found[:MAX_FOLDERS]]


def folder_words(folders: Sequence[FolderRow]) -> str:
    return ", ".join(f"{escape_markdown(one['folder'])} ({one['codes']})" for one in folders)
