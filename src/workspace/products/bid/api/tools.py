"""Tools for proposals: create, find, edit, share and delete them.

The tools for sending and deciding are in `sending_tools.py`, and those for the library in `library_tools.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.documents import glyph_coverage
from workspace.lib.text import escape_markdown, format_count
from workspace.products.bid.api.arguments import BidEdit, BidFields, BidId, Title
from workspace.products.bid.api.detail_serializers import BidDetail, bid_detail
from workspace.products.bid.api.serializers import BidSummary, bid_summary, paginate_bids, template_data
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
    Literal["draft", "sent", "viewed", "approved", "declined"], Field(description="Only proposals with this status.")
]
# fields that PDFs must be able to print
_PRINTED_FIELDS = (
    *("title", "client_name", "client_company", "client_email", "intro", "line_items", "packages", "discount"),
    *("deposit", "tax_label", "notes", "numbers"),
)


@box.tool(
    "svc_bid_list",
    title="List proposals",
    about="List proposals (quotes), newest first, with client, status, total and share link. Archived proposals are "
    "excluded. For pipeline totals, use svc_overview.",
    short="List proposals with client, status and total.",
    synonyms="quotes, offers, estimates, bids, which are open, unanswered, accepted, angebote, offene angebote, "
    "kostenvoranschläge, presupuestos, propuestas, cotizaciones, pendientes",
    reads=True,
    columns="number client_name title total status slug",
)
def list_bids(
    account: Account, status: StatusFilter | None = None, limit: Limit = 50, offset: Offset = 0
) -> Answer[Listing[BidSummary]]:
    bids, total = paginate_bids(account, status=status, limit=limit, offset=offset)
    return listing_answer(bids, total=total, offset=offset, noun="proposals", line=format_bid)


@box.tool(
    "svc_bid_get",
    title="Get a proposal",
    about="Get a proposal: introduction, packages, line items, discount, tax, deposit, terms and totals. Also "
    "returns its status history, revisions with hashes, client questions, and decisions with a check of their "
    "records.",
    short="Get a proposal with items, totals, questions and history.",
    synonyms="quote details, has the client opened, viewed, did they accept, client questions, status, angebot "
    "ansehen, hat der kunde geöffnet, ver presupuesto, ha visto el cliente, detalles, did the client "
    "open, has the client seen, opened my proposal, client's question, gesehen, ha abierto",
    reads=True,
)
def get(account: Account, id: BidId) -> Answer[BidDetail]:
    return bid_answer(account, id, "")


@box.tool(
    "svc_bid_create",
    title="Create a proposal",
    about="Create a proposal (quote) as a draft with a share link. Prices are in the account's currency. A line item "
    "is {name, quantity, unit_price, optional}. For tax_label, tax_inclusive or currency, use svc_bid_edit. For a "
    "template, use svc_bid_copy. Counts toward your monthly limit.",
    short="Create a proposal (quote) as a draft.",
    synonyms="quote, estimate, offer, bid, cost estimate, pitch, angebot erstellen, kostenvoranschlag, offerte, "
    "crear presupuesto, cotización, propuesta, oferta",
)
def create(account: Account, title: Title, **fields: Unpack[BidFields]) -> Answer[BidDetail]:
    printed = {name: fields[name] for name in _PRINTED_FIELDS if name in fields}  # type: ignore[literal-required]
    glyph_coverage.check_printable({"title": title, **printed})
    proposal = Proposal.create_draft(account, title=title, **fields)
    revisions.check_discount(proposal, fields)
    return bid_answer(account, proposal.pk, f"Created proposal {proposal.number}: {escape_markdown(title)}")


@box.tool(
    "svc_bid_edit",
    title="Update a proposal",
    about="Update a proposal. Pass only the fields to change. Lists are replaced, so keep line item IDs. Editing a "
    "sent proposal creates a new revision, which replaces the old one. To notify the client, use svc_bid_send. "
    "Approved or declined proposals can't be changed. The share link stays the same.",
    short="Update a proposal. A sent proposal gets a new revision.",
    synonyms="change quote, add line item, discount, change price, tax, deposit, valid until, extend, expiry, "
    "angebot ändern, rabatt, verlängern, gültig bis, cambiar presupuesto, descuento, ampliar validez, "
    "impuesto, change price of quote, percent off, new price, remove line item",
    idempotent=True,
)
def edit(account: Account, id: BidId, **fields: Unpack[BidEdit]) -> Answer[BidDetail]:
    glyph_coverage.check_printable({name: value for name, value in fields.items() if name in _PRINTED_FIELDS})
    proposal = lock_for_edit(account, id)
    number = proposal.revision
    revisions.edit_proposal(proposal, **fields)
    what = "Updated" if has_changed() else "No changes to"
    more = f". It now has revision {proposal.revision}. Notify the client with svc_bid_send"
    return bid_answer(
        account,
        id,
        f"{what} proposal {proposal.number}{more if proposal.revision != number else ''}",
    )


@box.tool(
    "svc_bid_share_link",
    title="Get a proposal's share link",
    about="Get the link where the client reviews a proposal, chooses options, and approves or declines. Clients can't "
    "review a draft until you mark it as sent with mark_sent=true. To email the link, use svc_bid_send.",
    short="Get a proposal's share link. Can also mark it as sent.",
    synonyms="url, public link, mark as sent, client link, copy link, link zum angebot, als gesendet markieren, "
    "enlace del presupuesto, marcar como enviado, compartir, without email, share myself, whatsapp, "
    "send link myself",
    idempotent=True,
)
def get_share_link(
    account: Account,
    id: BidId,
    mark_sent: Annotated[
        bool,
        Field(description="Whether to mark a draft as sent. Use it if you share the link yourself. Defaults to false."),
    ] = False,
) -> Answer[BidSummary]:
    proposal = lock_for_edit(account, id)
    was_draft = mark_sent and revisions.mark_sent(proposal)
    bid = bid_summary(get_bid(account, id))
    if was_draft:
        head = f"Proposal {proposal.number} is marked as sent. Share this link with your client: {bid['public_url']}"
    elif bid["status"] == Status.DRAFT:
        head = f"Link of proposal {proposal.number} (still a draft): {bid['public_url']}"
    else:
        head = f"Link of proposal {proposal.number}: {bid['public_url']}"
    return Answer(bid, "\n".join([head, "", f"- {format_bid(bid)}"]))


class CopiedBid(TypedDict):
    """A copy. Only proposals have a `number` and a `public_url`."""

    id: str
    kind: str
    title: str
    currency: str
    total: float
    number: int | None
    public_url: str | None


@box.tool(
    "svc_bid_copy",
    title="Duplicate a proposal or save a template",
    about="Duplicate a proposal or template as a new draft, create a new version of a decided proposal, or save a "
    "proposal as a template. Copies are valid for 30 days. Drafts and versions count toward your plan's "
    "monthly limit.",
    short="Duplicate a proposal, or save it as a template.",
    synonyms="copy, clone, reuse, from template, same quote again, new version, kopieren, duplizieren, vorlage, "
    "als vorlage speichern, copiar, duplicar, plantilla, reutilizar",
)
def copy(
    account: Account,
    id: Annotated[Id, Field(description="Proposal ID, or a template's ID from svc_bid_library.")],
    title: Annotated[str, Line(200), Field(description="Title of the copy. Defaults to the same title.")] | None = None,
    kind: Annotated[
        Literal["draft", "version", "template"],
        Field(
            description=(
                "Type of copy. draft has no client, version keeps the client, and template saves a template. "
                "Defaults to draft."
            )
        ),
    ] = "draft",
) -> Answer[CopiedBid]:
    source = duplication.get_copy_source(account, id)
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
        return Answer(data, f"Template saved. Use svc_bid_copy to create a proposal from it: {format_template(row)}")
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
    return Answer(data, f"Created a new {kind}: {format_bid(bid)}")


@box.tool(
    "svc_bid_delete",
    title="Delete proposals, templates or library items",
    about="Delete proposals, questions, templates or library items. Clients see that the proposal no longer exists. "
    "Approved or declined proposals are archived instead: they are no longer listed, but their page and "
    "records stay. To restore within 30 days, use svc_undo.",
    short="Delete proposals, templates or library items.",
    synonyms="remove quote, archive, discard draft, löschen, angebot löschen, archivieren, eliminar presupuesto, "
    "borrar, archivar",
    destructive=True,
)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    items = deletion.find_items(account, ids)
    stored = {item.pk for item in deletion.remove_items(items)}
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    head = f"Deleted {format_count(len(items) - len(stored), 'item')}" + (f", archived {len(stored)}" if stored else "")
    lines = format_bullets(
        data["deleted"],
        lambda row: f"{escape_markdown(row['title'])} `{row['id']}`{' (archived)' if row['id'] in stored else ''}",
    )
    return Answer(data, "\n".join([f"{head}.", "", *lines]))


def bid_answer(account: Account, id: str, title: str, *, pending_decision_id: str = "") -> Answer[BidDetail]:
    """Return an answer with the complete proposal.

    `pending_decision_id` is the id of a decision that is being made. Its record is written last.
    """
    bid = bid_detail(get_bid(account, id), account, pending_decision_id=pending_decision_id)
    head = title or f"Proposal {bid['number']}: {escape_markdown(bid['title'])}"
    return Answer(bid, "\n".join([format_fact_list(head, bid_facts(bid)), *format_sections(bid)]))
