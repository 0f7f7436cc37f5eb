"""Export and import of publications and addresses. If a slug is taken on this instance, it is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password

from workspace.accounts.plans import PRODUCTS
from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable, exclude_tables
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_slug
from workspace.publishing import messages
from workspace.publishing.account_lifecycle.closure_grace_period import CLOSING_PREFIX
from workspace.publishing.models import Address, Breakdown, Publication, SearchDocument, Visit, VisitCounter
from workspace.publishing.slugs import SLUG_PATTERN
from workspace.qr_symbols.style import Style

_RENAMED_SLUGS = "slugs"


def _resolve_slug_clashes(arrival: ImportContext, rows: Sequence[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    here = set(Address.objects.filter(slug__in=[row.slug for row in rows]).values_list("kind", "slug"))
    for row in rows:
        if row.kind not in PRODUCTS or not SLUG_PATTERN.match(row.slug):
            raise OperationNotAllowedError(messages.ADDRESS_INVALID(slug=row.slug[:50]))
        slug, path = row.slug, PRODUCTS[row.kind].path
        if (row.kind, row.slug) in here:
            slug = new_slug()
            arrival.memory.setdefault(_RENAMED_SLUGS, {})[row.publication_id, row.slug] = slug
            arrival.add_note(f"{path}{row.slug} is already in use, so the page is now at {path}{slug}.")
            yield row, {"slug": slug}
        before, now = f"{arrival.source_url}{path}{row.slug}", f"{settings.BASE_URL}{path}{slug}"
        if before != now:
            arrival.addresses[before] = now


def _import_publication(arrival: ImportContext, row: Any, values: dict[str, Any]) -> None:
    slugs = arrival.memory.get(_RENAMED_SLUGS, {})
    row.slug = slugs.get((values["id"], row.slug), row.slug)
    if row.ban_reason.startswith(CLOSING_PREFIX):  # its account was being closed, but this one is not
        row.banned_at, row.ban_reason = None, ""
    if values.get("password"):
        row.password = make_password(None)  # an unusable password, so that the page stays locked
        arrival.add_note(
            f"The page at {PRODUCTS[row.kind].path}{row.slug} had a password. Set a new one to make it available."
        )


exclude_tables("links in sent emails, or data of the instance", "publishing.guestlink", "publishing.report")
exclude_tables("choices that the next import asks for again", "publishing.rememberedcolumns")
exclude_tables(
    "distinguishes visitors within a day",
    "publishing.uniquevisitor",
    "storage.visitorsalt",
    "rate_limits.ratecounter",
)
_KIND_TYPES = {"kind": column_types.ProductKey}
_ADDRESS_TYPES = {
    **_KIND_TYPES,
    "slug": column_types.text_matching(f"({SLUG_PATTERN.pattern})?", "Use letters a-z, digits and hyphens"),
}
_DETAIL_TYPES = {"detail": column_types.Identifier}
_VISITOR_TYPES = {"device": column_types.Token, **dict.fromkeys(("city", "country", "referrer"), column_types.AnyText)}
TAKEOUT_TABLES = (
    TakeoutTable(
        model=Publication,
        excluded_columns=("password",),
        serializers={"password": lambda row: bool(row.password)},
        import_row=_import_publication,
        column_types={
            **_ADDRESS_TYPES,
            "code_style": column_types.validate_unchanged(Style),
            "ban_reason": column_types.PlainText,
        },
    ),
    TakeoutTable(model=Address, resolve_conflicts=_resolve_slug_clashes, column_types=_ADDRESS_TYPES),
    TakeoutTable(model=Visit, excluded_columns=("visitor",), column_types={**_DETAIL_TYPES, **_VISITOR_TYPES}),
    TakeoutTable(model=VisitCounter, column_types=_DETAIL_TYPES),
    TakeoutTable(model=Breakdown, column_types={"dimension": column_types.Token, "value": column_types.AnyText}),
    TakeoutTable(
        model=SearchDocument, column_types={**_KIND_TYPES, "title": column_types.AnyText, "text": column_types.AnyText}
    ),
)
