"""Tools for proposals: create, find, edit, share and delete them.

Tools for sending and deciding are in `sending_tools.py`, those for the library in `library_tools.py`."""

from __future__ import annotations

from typing import Annotated, Literal, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.documents import glyph_coverage
from workspace.lib.text import escape_markdown, format_count
from workspace.products.bid.api.arguments import BidEdit, BidFields, BidId, Title
from workspace.products.bid.api.detail_serializers import BidDetail, bid_detail
from workspace.products.bid.api.serializers import BidSummary, bid_summary, get_page, template_data
from workspace.products.bid.api.text import bid_facts, format_bid, format_sections, format_template
from workspace.products.bid.domain import deletion, duplication, revisions
from workspace.products.bid.domain.queries import get_bid
from workspace.products.bid.domain.revisions import lock_for_edit
from workspace.products.bid.models import KIND, Proposal, Status
from workspace.products.bid.rules.offer import load_offer
from workspace.publishing.serializers import DeletedItems
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Id, Limit, Line, Offset
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Proposals")

StatusFilter = Annotated[
    Literal["draft", "sent", "viewed", "approved", "declined"], Field(description="Only those of this status")
]
# fields that PDFs must be able to print
_PRINTED_FIELDS = (
    *("title", "client_name", "client_company", "client_email", "intro", "line_items", "packages", "discount"),
    *("deposit", "tax_label", "notes", "numbers"),
)


@box.tool("svc_bid_list", title="List proposals", reads=True, columns="number client_name title total status slug")
def list_bids(
    account: Account, status: StatusFilter | None = None, limit: Limit = 50, offset: Offset = 0
) -> Answer[Listing[BidSummary]]:
    """Your proposals, newest first, with client, status, total and share link. Archived ones are not among them.
    svc_overview says what all of them come to."""
    bids, total = get_page(account, status=status, limit=limit, offset=offset)
    return listing_answer(bids, total=total, offset=offset, noun="proposals", line=format_bid)


@box.tool("svc_bid_get", title="Get a proposal", reads=True)
def get(account: Account, id: BidId) -> Answer[BidDetail]:
    """One proposal whole: introduction, packages, line items, discount, tax, deposit, terms, totals as first shown,
    status history, revisions with their hashes, questions, and each decision with its record and whether that holds."""
    return bid_answer(account, id, "")


@box.tool("svc_bid_create", title="Create a proposal")
def create(account: Account, title: Title, **fields: Unpack[BidFields]) -> Answer[BidDetail]:
    """Make a proposal as a draft, with the link that you share later. Prices in dollars, or in the account's currency.
    A line is {name, quantity, unit_price, optional}; svc_bid_edit sets tax_label, tax_inclusive and currency as well,
    svc_bid_copy begins with a template. Counts against the plan's number a month: 5 on Free."""
    printed = {name: fields[name] for name in _PRINTED_FIELDS if name in fields}  # type: ignore[literal-required]
    glyph_coverage.check_printable({"title": title, **printed})
    proposal = Proposal.create_draft(account, title=title, **fields)
    revisions.check_discount(proposal, fields)
    return bid_answer(account, proposal.pk, f"Created proposal {proposal.number}: {escape_markdown(title)}")


@box.tool("svc_bid_edit", title="Edit a proposal", idempotent=True)
def edit(account: Account, id: BidId, **fields: Unpack[BidEdit]) -> Answer[BidDetail]:
    """Change a proposal: only what is given; lists replace all that was in them, so keep the ids of lines that stay. A
    draft changes as it is. One that was sent gets another revision and is sent again: who has the old page open cannot
    approve it, and svc_bid_send tells the client. What is approved or declined does not change. The share link never
    does."""
    glyph_coverage.check_printable({name: value for name, value in fields.items() if name in _PRINTED_FIELDS})
    proposal = lock_for_edit(account, id)
    number = proposal.revision
    revisions.edit_proposal(proposal, **fields)
    what = "Changed" if has_changed() else "Nothing changed on"
    more = f". It is revision {proposal.revision} now, of which the client is not told yet: svc_bid_send does that"
    return bid_answer(
        account,
        id,
        f"{what} proposal {proposal.number}{more if proposal.revision != number else ''}",
    )


@box.tool("svc_bid_share_link", title="Get the share link of a proposal", idempotent=True)
def get_share_link(
    account: Account,
    id: BidId,
    mark_sent: Annotated[bool, Field(description="Turn a draft into sent: you hand the link on yourself")] = False,
) -> Answer[BidSummary]:
    """The link at which the client reviews it, chooses options, approves or declines. A draft's link says that it is
    not sent yet; mark_sent=true changes that. svc_bid_send does both by mail."""
    proposal = lock_for_edit(account, id)
    was_draft = mark_sent and revisions.mark_sent(proposal)
    bid = bid_summary(get_bid(account, id))
    if was_draft:
        head = f"Proposal {proposal.number} counts as sent. Give your client this link: {bid['public_url']}"
    elif bid["status"] == Status.DRAFT:
        head = f"The link of proposal {proposal.number}, which is still a draft: {bid['public_url']}"
    else:
        head = f"The link of proposal {proposal.number}: {bid['public_url']}"
    return Answer(bid, "\n".join([head, "", f"- {format_bid(bid)}"]))


class CopiedBid(TypedDict):
    """`number` and `public_url` of a proposal."""

    id: str
    kind: str
    title: str
    currency: str
    total: float
    number: int | None
    public_url: str | None


@box.tool("svc_bid_copy", title="Duplicate a proposal, or keep it as a template")
def copy(
    account: Account,
    id: Annotated[Id, Field(description="A proposal's, or a template's from svc_bid_library")],
    title: Annotated[str, Line(200), Field(description="Of the copy; the same when left out")] | None = None,
    kind: Annotated[
        Literal["draft", "version", "template"],
        Field(description="A draft, without the client; a version for the same client; a template"),
    ] = "draft",
) -> Answer[CopiedBid]:
    """Begin with past work: a draft of a proposal or template, a version that follows one that was decided, or a
    template to keep. A copy is valid for 30 days. Drafts and versions count against the plan's number a month."""
    source = duplication.get_source(account, id)
    if kind == "template":
        template = duplication.create_template(account, source, title)
        row = template_data(template, load_offer(template.content))
        data: CopiedBid = {
            "id": template.pk,
            "kind": kind,
            "title": template.name,
            "currency": row["currency"],
            "total": row["total"],
            "number": None,
            "public_url": None,
        }
        return Answer(data, f"Kept as a template; svc_bid_copy with its id begins a proposal: {format_template(row)}")
    proposal = (duplication.create_version if kind == "version" else duplication.create_draft)(account, source, title)
    bid = bid_summary(get_bid(account, proposal.pk))
    data = {
        "id": proposal.pk,
        "kind": kind,
        "title": proposal.title,
        "currency": proposal.currency,
        "total": bid["total"],
        "number": proposal.number,
        "public_url": bid["public_url"],
    }
    return Answer(data, f"Copied as a {kind}: {format_bid(bid)}")


@box.tool("svc_bid_delete", title="Delete proposals, templates and library items", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    """Delete by ids: proposals, questions, templates, library items. Clients are told that a proposal is gone. One that
    is approved or declined is archived in place of that: it leaves your list, its page and its proof stay. svc_undo
    brings all of it back, for 30 days."""
    items = deletion.find_items(account, ids)
    stored = {item.pk for item in deletion.remove_items(items)}
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    head = f"Deleted {format_count(len(items) - len(stored), 'entry', 'entries')}" + (
        f", archived {len(stored)}" if stored else ""
    )
    lines = format_bullets(
        data["deleted"],
        lambda row: f"{escape_markdown(row['title'])} `{row['id']}`{' (archived)' if row['id'] in stored else ''}",
    )
    return Answer(data, "\n".join([f"{head}.", "", *lines]))


def bid_answer(account: Account, id: str, title: str, *, just: str = "") -> Answer[BidDetail]:
    """Return the answer with a proposal in full.

    `just` is the decision that is being made. Its record is written after everything else."""
    bid = bid_detail(get_bid(account, id), account, just=just)
    head = title or f"Proposal {bid['number']}: {escape_markdown(bid['title'])}"
    return Answer(bid, "\n".join([format_fact_list(head, bid_facts(bid)), *format_sections(bid)]))
