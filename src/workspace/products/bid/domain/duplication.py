"""Beginning with past work: a proposal or a template becomes a draft, a version of the same, or a template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import fold
from workspace.products.bid.domain.library import MISSING_SOURCE
from workspace.products.bid.domain.queries import bids_of
from workspace.products.bid.models import Proposal, Template
from workspace.products.bid.models.proposal import CLIENT, OFFERED, SEEN
from workspace.publishing.serializers import several
from workspace.storage import journal

MOST_TEMPLATES = 200


@dataclass(frozen=True, slots=True)
class Source:
    """What a copy begins with: the columns that say what is offered; the proposal itself where it is one."""

    content: dict[str, Any]
    proposal: Proposal | None


def source_of(account: Account, id: str) -> Source:
    """Of a proposal's or a template's id. Raises NotFound."""
    [found] = several([id], MISSING_SOURCE, bids_of(account), account.bid_templates.all())
    if isinstance(found, Template):
        return Source(dict(found.content), None)
    seen = {name: getattr(found, name) or "" for name in SEEN}
    return Source({**{name: getattr(found, name) for name in OFFERED}, **seen}, found)


def draft(account: Account, source: Source, title: str | None) -> Proposal:
    return Proposal.make(account, **_titled(source, title))


def version(account: Account, source: Source, title: str | None) -> Proposal:
    """For the same client, linked to the one before. Raises InvalidInput for a template."""
    before = source.proposal
    if before is None:
        raise InvalidInput.at("kind", "A template has no versions: leave kind out to make a draft of it")
    client = {name: getattr(before, name) for name in CLIENT}
    return Proposal.make(account, **_titled(source, title), **client, language=before.language, version_of=before)


def template(account: Account, source: Source, title: str | None) -> Template:
    # a picture stays only with what shows it
    content = {name: value for name, value in _titled(source, None).items() if name != "picture_id"}
    name = title or content["title"]
    if account.bid_templates.count() >= MOST_TEMPLATES:
        raise ToolError(
            f"There are {MOST_TEMPLATES} templates already: svc_bid_delete takes those away that you use no more"
        )
    made = Template(account=account, name=name, content=content, search=fold(f"{name}\n{content['title']}"))
    made.save(force_insert=True)
    journal.add(made)
    return made


def _titled(source: Source, title: str | None) -> dict[str, Any]:
    return {**source.content, **({"title": title} if title else {})}
