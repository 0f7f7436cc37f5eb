"""Copies of proposals and templates, as drafts, versions or templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import search_key
from workspace.products.bid import messages
from workspace.products.bid.domain.queries import bids_for
from workspace.products.bid.models import Proposal, Template
from workspace.products.bid.models.proposal import CLIENT_FIELDS, MEDIA_FIELDS, OFFER_FIELDS
from workspace.publishing.serializers import get_many_or_404
from workspace.storage import journal

MAX_TEMPLATES = 200


@dataclass(frozen=True, slots=True)
class CopySource:
    """The source of a copy: the columns of the offer, and the proposal if the source is one."""

    content: dict[str, Any]
    proposal: Proposal | None


def get_copy_source(account: Account, id: str) -> CopySource:
    """Return the proposal or template to copy. Raise NotFoundError if it does not exist."""
    [items] = get_many_or_404([id], messages.SOURCE_NOT_FOUND, bids_for(account), account.bid_templates.all())
    if isinstance(items, Template):
        return CopySource(dict(items.content), None)
    seen = {name: getattr(items, name) or "" for name in MEDIA_FIELDS}
    return CopySource({**{name: getattr(items, name) for name in OFFER_FIELDS}, **seen}, items)


def create_draft(account: Account, source: CopySource, title: str | None) -> Proposal:
    return Proposal.create_draft(account, **_with_title(source, title))


def create_version(account: Account, source: CopySource, title: str | None) -> Proposal:
    """Create a version for the same client, linked to the previous one. Raise InvalidInputError for a template."""
    before = source.proposal
    if before is None:
        raise InvalidInputError.at_path("kind", messages.TEMPLATE_HAS_NO_VERSIONS)
    client = {name: getattr(before, name) for name in CLIENT_FIELDS}
    return Proposal.create_draft(
        account, **_with_title(source, title), **client, language=before.language, version_of=before
    )


def create_template(account: Account, source: CopySource, title: str | None) -> Template:
    """Create a template. Raise OperationNotAllowedError if there are too many."""
    # a picture is stored only while an item shows it
    content = {name: value for name, value in _with_title(source, None).items() if name != "image_id"}
    name = title or content["title"]
    if account.bid_templates.count() >= MAX_TEMPLATES:
        raise OperationNotAllowedError(messages.TEMPLATE_LIMIT(most=MAX_TEMPLATES))
    template = Template(account=account, name=name, content=content, search=search_key(f"{name}\n{content['title']}"))
    template.save(force_insert=True)
    journal.record_new_rows(template)
    return template


def _with_title(source: CopySource, title: str | None) -> dict[str, Any]:
    return {**source.content, **({"title": title} if title else {})}
