"""Tools that list and refund payments. Only a person can connect or disconnect the key."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts import product_scope
from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, NotFoundError
from workspace.lib.money import Amount, format_exact_amount, to_minor_units, to_wire_number
from workspace.lib.text import escape_markdown
from workspace.payments import checkout, messages, provider_calls
from workspace.payments.models import Connection, Payment, Refund
from workspace.payments.models.payment import UNPAID
from workspace.payments.owner_notifications import format_price
from workspace.payments.provider import EXPIRED, FAILED, PAID, PROCESSING
from workspace.payments.provider_registry import get_title, list_titles
from workspace.payments.purposes import pages_for
from workspace.storage import journal
from workspace.tools.answer import Answer, Page, listing_answer
from workspace.tools.argument_types import Id, Limit, Line, Offset
from workspace.tools.tool import Toolbox

box = Toolbox(product_scope.PAYMENTS, "Payments")
FINAL_NOTE = "A refund can't be undone"

State = Annotated[
    Literal["open", "processing", "paid", "failed", "expired", "refunded", "disputed"],
    Field(description="Only payments with this status. refunded includes partial refunds."),
]
Subject = Annotated[
    str, Line(40), Field(description="Only payments for this item. Use the value of subject in a payment.")
]
PaymentId = Annotated[Id, Field(description="Payment ID, from svc_payments_list.")]
RefundAmount = Annotated[
    Amount, Field(description="Amount to refund, in the payment's currency. Defaults to the full remaining amount.")
]
RefundReason = Annotated[
    str, Line(200, least=0), Field(description="Internal reason. The customer doesn't see it. Optional.")
]
_STATE_FILTERS: dict[str, dict[str, Any]] = {
    "open": {"state__in": UNPAID},
    "refunded": {"refunded__gt": 0},
    "disputed": {"dispute": "open"},
    **{one: {"state": one} for one in (PROCESSING, PAID, FAILED, EXPIRED)},
}


class ProviderData(TypedDict):
    """The provider.

    `state` is none, on, ending, or refused if the key no longer works. `page` is the page of its settings.
    """

    provider: str
    state: str
    name: str
    live: Annotated[bool, Field(description="false in test mode, in which no money is transferred.")]
    problem: str
    page: str


class RefundData(TypedDict):
    id: str
    amount: float
    state: Annotated[str, Field(description="waiting, done or failed.")]
    reason: str
    problem: str
    at: str


class PaymentData(TypedDict):
    """A payment. `subject` is the id of the paid item, and `page` the item's page for the owner."""

    id: str
    title: str
    purpose: str
    subject: str
    amount: float
    currency: str
    state: Annotated[
        str,
        Field(description="open, processing, paid, failed, expired, partly_refunded, refunded, disputed or lost."),
    ]
    refunded: float
    refunds: list[RefundData]
    email: str
    live: bool
    problem: str
    at: str
    paid_at: str | None
    page: str


class PaymentList(Page):
    items: list[PaymentData]
    provider: ProviderData


@box.tool(
    "svc_payments_list",
    title="List payments",
    about="List online payments that customers have made or started, newest first. Also returns whether online "
    "payments are set up.",
    short="List customer payments, and whether online payments are set up.",
    synonyms="transactions, paid, who paid, deposits, money received, income, unpaid, card payments, "
    "zahlungen, bezahlt, wer hat bezahlt, einnahmen, anzahlung, pagos, cobros, quién ha pagado, "
    "transacciones, ingresos, list of payments, did the customer pay, payment status, zahlungseingang, "
    "ha pagado el cliente",
    reads=True,
    columns="title amount currency state id",
)
def list_payments(
    account: Account, state: State | None = None, subject: Subject | None = None, limit: Limit = 50, offset: Offset = 0
) -> Answer[PaymentList]:
    mine = Payment.objects.filter(account=account).prefetch_related("refunds").order_by("-id")
    if state is not None:
        mine = mine.filter(**_STATE_FILTERS[state])
    if subject is not None:
        mine = mine.filter(subject=subject)
    rows = list_payment_data(mine[offset : offset + limit])
    answer = listing_answer(rows, total=mine.count(), offset=offset, noun="payments", line=format_payment)
    provider = provider_data(account)
    return Answer({**answer.data, "provider": provider}, "\n".join([_format_provider(provider), "", answer.text]))


@box.tool(
    "svc_payments_refund",
    title="Refund a payment",
    about="Refund a customer payment, fully or partially, to the original card or bank account. The refund is issued "
    "within seconds and arrives within days. It cannot be undone.",
    short="Refund a customer payment, fully or partially.",
    synonyms="give money back, return money, reimburse, chargeback, repay, geld zurück, geld zurückgeben, "
    "rückerstattung, erstatten, zurückzahlen, reembolso, reembolsar, devolver el dinero, devolución",
    destructive=True,
    final=FINAL_NOTE,
    sends=True,
)
def refund(
    account: Account, payment_id: PaymentId, amount: RefundAmount | None = None, reason: RefundReason = ""
) -> Answer[PaymentData]:
    payment = Payment.objects.filter(account=account, pk=payment_id).first()
    if payment is None:
        raise NotFoundError(messages.PAYMENT_NOT_FOUND)
    made = checkout.start_refund(payment, _parse_amount(amount, payment.currency), reason)
    journal.mark_irreversible(FINAL_NOTE)
    [row] = list_payment_data([payment])
    head = f"{format_price(made.amount, payment.currency)} is being refunded. It can take 5–10 days to arrive."
    return Answer(row, f"{head}\n\n- {format_payment(row)}")


def _parse_amount(amount: Decimal | None, currency: str) -> int | None:
    try:
        return None if amount is None else to_minor_units(amount, currency)
    except ValueError as problem:
        raise InvalidInputError.at_path("amount", str(problem)) from None


def provider_data(account: Account) -> ProviderData:
    one = Connection.objects.filter(account=account).first()
    is_there = one is not None and bool(one.key)
    state = "none"
    if one is not None and is_there:
        state = "ending" if one.is_ending else "refused" if one.last_error else "on"
    return {
        "provider": one.provider if one is not None and is_there else "",
        "state": state,
        "name": one.name if one is not None and is_there else "",
        "live": one.live if one is not None and is_there else False,
        "problem": one.last_error if one is not None else "",
        "page": provider_calls.page_url(),
    }


def list_payment_data(payments: Iterable[Payment]) -> list[PaymentData]:
    found = list(payments)
    pages = pages_for(found)
    return [_payment_data(one, pages[one.pk]) for one in found]


def _payment_data(payment: Payment, page: str) -> PaymentData:
    return {
        "id": payment.pk,
        "title": payment.title,
        "purpose": payment.purpose,
        "subject": payment.subject,
        "amount": to_wire_number(payment.amount, payment.currency) or 0.0,
        "currency": payment.currency,
        "state": payment.display_state,
        "refunded": to_wire_number(payment.refunded, payment.currency) or 0.0,
        "refunds": [_refund_data(each, payment.currency) for each in payment.refunds.all()],
        "email": payment.email,
        "live": payment.live,
        "problem": payment.problem,
        "at": clock.to_iso(payment.created_at) or "",
        "paid_at": clock.to_iso(payment.paid_at),
        "page": page,
    }


def _refund_data(refund: Refund, currency: str) -> RefundData:
    return {
        "id": refund.pk,
        "amount": to_wire_number(refund.amount, currency) or 0.0,
        "state": refund.state,
        "reason": refund.reason,
        "problem": refund.problem,
        "at": clock.to_iso(refund.created_at) or "",
    }


def _format_amount(value: float, row: PaymentData) -> str:
    return format_exact_amount(Decimal(repr(value)), row["currency"])


def format_payment(row: PaymentData) -> str:
    parts = [
        (
            f"**{escape_markdown(row['title'])}** {_format_amount(row['amount'], row)} in {row['currency']}, "
            f"{row['state']}"
        ),
        "" if row["live"] else "in test mode",
        f"refunded {_format_amount(row['refunded'], row)}" if row["refunded"] else "",
        *(_format_refund(one, row) for one in row["refunds"]),
        escape_markdown(row["email"]),
        escape_markdown(row["problem"].rstrip(".")),
        f"started {row['at']}",
        f"paid {row['paid_at']}" if row["paid_at"] else "",
        f"{row['purpose']} for `{row['subject']}`",
        f"dashboard {row['page']}" if row["page"] else "",
        f"`{row['id']}`",
    ]
    return ", ".join(part for part in parts if part)


def _format_refund(refund: RefundData, row: PaymentData) -> str:
    why = "; ".join(escape_markdown(words) for words in (refund["reason"], refund["problem"]) if words)
    return (
        f"refund of {_format_amount(refund['amount'], row)} {refund['state']} "
        f"{refund['at']}{f' ({why})' if why else ''} `{refund['id']}`"
    )


def _format_provider(provider: ProviderData) -> str:
    if provider["state"] == "none":
        return f"Online payments aren't set up. The owner can connect {list_titles()} at {provider['page']}."
    mode = "" if provider["live"] else ", in test mode"
    state = {"on": "is connected", "ending": "is being disconnected", "refused": "rejected the key"}[provider["state"]]
    name = f" ({escape_markdown(provider['name'])})" if provider["name"] else ""
    problem = f": {escape_markdown(provider['problem'].rstrip('.'))}" if provider["problem"] else ""
    return f"{get_title(provider['provider'])}{name} {state}{mode}{problem}. See {provider['page']}."
