"""What an owner should see today: the next bookings, or what is sold out.

A product declares it in its manifest. Home shows it first, each entry with its actions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from workspace.accounts.models import Account
from workspace.owner_translation import OwnerText
from workspace.publishing.checkin import CheckinAction


@dataclass(frozen=True, slots=True, kw_only=True)
class TodayEntry:
    """An entry of Today.

    `when` is a short time, and `page` is below `/app`. `phone` adds a link to call. `acts` contains the names of the
    actions that are possible now.
    """

    id: str
    title: str
    page: str
    detail: str = ""
    when: str = ""
    phone: str = ""
    acts: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TodaySource:
    """How a product takes part in Today.

    - `title`: the heading above its entries.
    - `page`: the page with all of them.
    - `is_first`: whether it comes before what waits for the owner, because it happens at a time.
    - `list_entries`: returns at most a given number of entries, most urgent first, with one query.
    - `actions`: what the owner can do with an entry immediately.
    """

    title: OwnerText
    page: str
    list_entries: Callable[[Account, int], Sequence[TodayEntry]]
    actions: Sequence[CheckinAction] = ()
    is_first: bool = False
