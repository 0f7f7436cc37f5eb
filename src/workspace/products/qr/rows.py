"""A code as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import Count, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.qr.models import SCAN, Code
from workspace.publishing.statistics import totals
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound
from workspace.toolkit.text import escape_markdown

MAX_FOLDERS = 200


class CodeRow(TypedDict):
    id: str
    name: str
    target_url: str
    folder: str
    total_scans: int
    printed_url: str
    short_url: str
    slug: str
    svg_url: str
    png_url: str
    state: str
    expires_at: str | None
    has_password: bool
    created_at: str | None
    updated_at: str | None


class RetargetRow(TypedDict):
    from_url: str
    to_url: str
    at: str | None
    undone_at: str | None


class CodeWhole(CodeRow):
    style: dict[str, Any]
    logo_id: str | None
    slugs: list[str]
    retargets: list[RetargetRow]
    inspect_url: str


def codes_of(account: Account) -> QuerySet[Code]:
    """The account's codes with all that a row shows: three queries, however many there are."""
    return account.codes.select_related("publication").prefetch_related("publication__addresses")


def code_of(account: Account, id: str) -> Code:
    """Raises NotFound for a code that there is not, or that is another account's."""
    code = codes_of(account).filter(pk=id).first()
    if code is None:
        raise NotFound("There is no such QR code: svc_qr_list shows yours with their ids")
    return code


def rows(codes: Iterable[Code]) -> list[CodeRow]:
    codes = list(codes)
    tallies = totals([code.publication_id for code in codes], SCAN)
    return [_row(code, tallies[code.publication_id].total) for code in codes]


def row(code: Code) -> CodeRow:
    return rows([code])[0]


def whole(code: Code) -> CodeWhole:
    return {
        **row(code),
        "style": code.looks.model_dump(),
        "logo_id": code.logo_id,
        "slugs": [address.slug for address in sorted(code.publication.addresses.all(), key=lambda a: -a.pk)],
        "retargets": [
            {
                "from_url": change.from_url,
                "to_url": change.to_url,
                "at": clock.iso(change.at),
                "undone_at": clock.iso(change.undone_at),
            }
            for change in code.retargets.all()[:50]
        ],
        "inspect_url": f"{code.short_url}+",
    }


def _row(code: Code, scans: int) -> CodeRow:
    publication = code.publication
    slug = publication.slug
    address = f"{settings.BASE_URL}/q/{slug}"
    return {
        "id": code.pk,
        "name": code.name,
        "target_url": code.target_url,
        "folder": code.folder,
        "total_scans": scans,
        "printed_url": address.upper(),
        "short_url": address,
        "slug": slug,
        "svg_url": f"{address}.svg",
        "png_url": f"{address}.png",
        "state": publication.state.value,
        "expires_at": clock.iso(publication.expires_at),
        "has_password": bool(publication.password),
        "created_at": clock.iso(code.created_at),
        "updated_at": clock.iso(code.updated_at),
    }


def one_line(found: CodeRow) -> str:
    folder = f" in {escape_markdown(found['folder'])}" if found["folder"] else ""
    state = "" if found["state"] == "live" else f", {found['state']}"
    scans = f"{found['total_scans']} {'scan' if found['total_scans'] == 1 else 'scans'}"
    name = escape_markdown(found["name"])
    return f"**{name}**{folder} → {found['target_url']} ({scans}{state}) {found['short_url']} `{found['id']}`"


def folders_of(account: Account) -> list[tuple[str, int]]:
    """The account's folders by name, each with its number of codes; one query."""
    found = account.codes.exclude(folder="").values_list("folder").annotate(codes=Count("id")).order_by("folder")
    return list(found[:MAX_FOLDERS])
