"""Payments as tools: what was paid, and giving it back. The key itself is a person's to give and to take away."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts import tool_scope
from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, NotFound
from workspace.lib.money import Amount, minor_of, number_of, show_number
from workspace.lib.text import escape_markdown
from workspace.payments import checkout, circuit_breaker
from workspace.payments.models import Connection, Payment, Refund
from workspace.payments.models.payment import UNPAID
from workspace.payments.owner_notifications import price
from workspace.payments.provider import EXPIRED, FAILED, PAID, PROCESSING
from workspace.payments.purposes import pages_of
from workspace.storage import journal
from workspace.tools.answer import Answer, Page, listing
from workspace.tools.argument_types import Id, Limit, Line, Offset
from workspace.tools.tool import Toolbox

box = Toolbox(tool_scope.PAYMENTS, "Payments")
FINAL = "Money that is on its way back is not called back"

State = Annotated[
    Literal["open", "processing", "paid", "failed", "expired", "refunded", "disputed"],
    Field(description="Only these: refunded is also in part"),
]
Subject = Annotated[str, Line(40), Field(description="What was paid for, as an item's subject")]
PaymentId = Annotated[Id, Field(description="A payment of svc_payments_list")]
Back = Annotated[Amount, Field(description="A part, in its currency; all that is left when left out")]
Why = Annotated[str, Line(200, least=0), Field(description="For yourself; the customer does not read it")]
_STATES: dict[str, dict[str, Any]] = {
    "open": {"state__in": UNPAID},
    "refunded": {"refunded__gt": 0},
    "disputed": {"dispute": "open"},
    **{one: {"state": one} for one in (PROCESSING, PAID, FAILED, EXPIRED)},
}


class Provider(TypedDict):
    """`state`: none, on, ending, or refused where it does not take the key any more. `page` is where the owner connects
    it."""

    provider: str
    state: str
    name: str
    live: Annotated[bool, Field(description="False for test mode, in which no money moves")]
    problem: str
    page: str


class RefundRow(TypedDict):
    id: str
    amount: float
    state: Annotated[str, Field(description="waiting, done or failed")]
    reason: str
    problem: str
    at: str


class PaymentRow(TypedDict):
    """`subject` is the id of what was paid for, `page` the owner's page of it."""

    id: str
    title: str
    purpose: str
    subject: str
    amount: float
    currency: str
    state: Annotated[
        str,
        Field(description="open, processing, paid, failed, expired, partly_refunded, refunded, disputed or lost"),
    ]
    refunded: float
    refunds: list[RefundRow]
    email: str
    live: bool
    problem: str
    at: str
    paid_at: str | None
    page: str


class Payments(Page):
    items: list[PaymentRow]
    provider: Provider


@box.tool("svc_payments_list", title="List payments", reads=True, columns="title amount currency state id")
def found(
    account: Account, state: State | None = None, subject: Subject | None = None, limit: Limit = 50, offset: Offset = 0
) -> Answer[Payments]:
    """What customers have paid online or are about to, newest first, and whether online payment is set up."""
    mine = Payment.objects.filter(account=account).prefetch_related("refunds").order_by("-id")
    if state is not None:
        mine = mine.filter(**_STATES[state])
    if subject is not None:
        mine = mine.filter(subject=subject)
    rows = rows_of(mine[offset : offset + limit])
    told = listing(rows, total=mine.count(), offset=offset, noun="payments", line=line_of)
    provider = provider_of(account)
    return Answer({**told.data, "provider": provider}, "\n".join([_provider_line(provider), "", told.text]))


@box.tool("svc_payments_refund", title="Give a payment back", destructive=True, final=FINAL, sends=True)
def refund(account: Account, payment_id: PaymentId, amount: Back | None = None, reason: Why = "") -> Answer[PaymentRow]:
    """Give a payment back, whole or in part, to the card or bank that it came from. It leaves within seconds and
    arrives within some days."""
    payment = Payment.objects.filter(account=account, pk=payment_id).first()
    if payment is None:
        raise NotFound("There is no such payment: svc_payments_list shows yours")
    made = checkout.refund(payment, _minor(amount, payment.currency), reason)
    journal.for_good(FINAL)
    [row] = rows_of([payment])
    return Answer(row, f"{price(made.amount, payment.currency)} is on its way back.\n\n- {line_of(row)}")


def _minor(amount: Decimal | None, currency: str) -> int | None:
    try:
        return None if amount is None else minor_of(amount, currency)
    except ValueError as problem:
        raise InvalidInput.at("amount", str(problem)) from None


def provider_of(account: Account) -> Provider:
    one = Connection.objects.filter(account=account).first()
    is_there = one is not None and bool(one.key)
    state = "none"
    if one is not None and is_there:
        state = "ending" if one.ending else "refused" if one.trouble else "on"
    return {
        "provider": one.provider if one is not None and is_there else "",
        "state": state,
        "name": one.name if one is not None and is_there else "",
        "live": one.live if one is not None and is_there else False,
        "problem": one.trouble if one is not None else "",
        "page": circuit_breaker.page(),
    }


def rows_of(payments: Iterable[Payment]) -> list[PaymentRow]:
    found = list(payments)
    pages = pages_of(found)
    return [_row(one, pages[one.pk]) for one in found]


def _row(one: Payment, page: str) -> PaymentRow:
    return {
        "id": one.pk,
        "title": one.title,
        "purpose": one.purpose,
        "subject": one.subject,
        "amount": number_of(one.amount, one.currency) or 0.0,
        "currency": one.currency,
        "state": one.shown_state,
        "refunded": number_of(one.refunded, one.currency) or 0.0,
        "refunds": [_refund_row(each, one.currency) for each in one.refunds.all()],
        "email": one.email,
        "live": one.live,
        "problem": one.problem,
        "at": clock.iso(one.created_at) or "",
        "paid_at": clock.iso(one.paid_at),
        "page": page,
    }


def _refund_row(one: Refund, currency: str) -> RefundRow:
    return {
        "id": one.pk,
        "amount": number_of(one.amount, currency) or 0.0,
        "state": one.state,
        "reason": one.reason,
        "problem": one.problem,
        "at": clock.iso(one.created_at) or "",
    }


def _amount(value: float, row: PaymentRow) -> str:
    return show_number(Decimal(repr(value)), row["currency"])


def line_of(row: PaymentRow) -> str:
    parts = [
        f"**{escape_markdown(row['title'])}** {_amount(row['amount'], row)} in {row['currency']}, {row['state']}",
        "" if row["live"] else "in test mode",
        f"refunded {_amount(row['refunded'], row)}" if row["refunded"] else "",
        *(_refund_line(one, row) for one in row["refunds"]),
        escape_markdown(row["email"]),
        escape_markdown(row["problem"]),
        f"begun {row['at']}",
        f"paid {row['paid_at']}" if row["paid_at"] else "",
        f"{row['purpose']} of `{row['subject']}`",
        f"see {row['page']}" if row["page"] else "",
        f"`{row['id']}`",
    ]
    return ", ".join(part for part in parts if part)


def _refund_line(one: RefundRow, row: PaymentRow) -> str:
    why = "; ".join(escape_markdown(words) for words in (one["reason"], one["problem"]) if words)
    return (
        f"refund of {_amount(one['amount'], row)} {one['state']} {one['at']}{f' ({why})' if why else ''} `{one['id']}`"
    )


def _provider_line(one: Provider) -> str:
    if one["state"] == "none":
        return f"Online payment is not set up: the owner connects Stripe at {one['page']}."
    mode = "" if one["live"] else ", in test mode"
    told = {"on": "is connected", "ending": "is being disconnected", "refused": "refuses the key"}[one["state"]]
    name = f" ({escape_markdown(one['name'])})" if one["name"] else ""
    problem = f": {escape_markdown(one['problem'])}" if one["problem"] else ""
    return f"{one['provider'].capitalize()}{name} {told}{mode}{problem}. See {one['page']}."
