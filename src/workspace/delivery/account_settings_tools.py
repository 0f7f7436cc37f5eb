"""The tool that edits account settings. It is in this package because email settings are among them."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from workspace.accounts import invites, messages
from workspace.accounts.account_tools import AccountSummary, TimeZone, account_answer, box
from workspace.accounts.arguments import BusinessName
from workspace.accounts.models import Account
from workspace.accounts.permissions import OWNERS
from workspace.accounts.plans import ProductKey
from workspace.brand.arguments import Country, Trade
from workspace.brand.models import Brand
from workspace.delivery.notifications import list_switches, set_switches
from workspace.lib.money import CurrencyOrNone
from workspace.lib.text import escape_markdown
from workspace.storage import journal
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Line

Notifications = Annotated[
    dict[Annotated[str, Field(max_length=60)], bool],
    Field(
        max_length=50,
        description='Email notifications by kind, such as {"card.lead": false}. The response lists all kinds.',
    ),
]


MAX_TABS = 3  # besides Home and More


def _check_tabs(products: list[str]) -> list[str]:
    if len(set(products)) < len(products):
        raise ValueError(messages.TAB_REPEATED)
    return products


TabBar = Annotated[
    list[ProductKey],
    Field(
        max_length=MAX_TABS,
        description='Phone tab bar: products in order. Example: ["menu", "review"]. [] uses those of the business '
        "type.",
    ),
    AfterValidator(_check_tabs),
]
InviteCode = Annotated[
    str, Line(40), Field(description="Invite code of a friend. Accepted within 7 days after sign-up.")
]


class AccountDetail(AccountSummary):
    country: str
    currency: str
    trade: str
    tab_bar: list[str]
    notifications: Annotated[dict[str, bool], Field(description="Email notification settings by kind.")]


@box.tool(
    "svc_account_edit",
    title="Update account settings",
    about="Update account settings: business name, time zone, country, currency, business type, phone "
    "tab bar and email notifications. Pass only the fields to change. Without arguments, returns the current settings.",
    short="Update business name, time zone, currency or email notifications.",
    synonyms="turn off notifications, unsubscribe, stop emails, preferences, timezone, mute, alerts, "
    "benachrichtigungen abschalten, einstellungen, zeitzone, währung, desactivar notificaciones, ajustes, zona "
    "horaria, moneda, configuración, navigation, tabs, bottom bar",
    idempotent=True,
    area=OWNERS,
)
def edit(
    account: Account,
    name: BusinessName | None = None,
    time_zone: TimeZone | None = None,
    country: Country | None = None,
    currency: CurrencyOrNone | None = None,
    trade: Trade | None = None,
    notifications: Notifications | None = None,
    tab_bar: TabBar | None = None,
    invite_code: InviteCode | None = None,
) -> Answer[AccountDetail]:
    given = {"name": name, "time_zone": time_zone, "tab_bar": tab_bar}
    journal.set_item("account", account.pk)
    journal.update_row(account, **{field: value for field, value in given.items() if value is not None})
    place = {"country": country, "currency": currency, "trade": trade}
    brand = Brand.for_account(account)
    brand.edit(**{field: value for field, value in place.items() if value is not None})
    if invite_code:
        invites.redeem_code(account, invite_code)
        journal.mark_irreversible("The inviter can't be changed")
    if notifications:
        set_switches(account, notifications)
    me = account_answer(account)
    switches = list_switches(account)
    data: AccountDetail = {
        **me.data,
        "country": brand.country,
        "currency": brand.currency,
        "trade": brand.trade,
        "tab_bar": account.tab_bar,
        "notifications": {one.kind.name: one.is_on for one in switches},
    }
    lines = [f"  - {one.kind.title} (`{one.kind.name}`): {'on' if one.is_on else 'off'}" for one in switches]
    named = {"country": brand.country, "currency": brand.currency, "trade": brand.trade}
    named |= {"phone tab bar": ", ".join(account.tab_bar)}
    lines = [*(f"- {name}: {value}" for name, value in named.items() if value), "- email notifications:", *lines]
    done = f"Updated the account of {escape_markdown(account.name)}"
    return Answer(data, "\n".join([done, "", me.text, *lines]))
