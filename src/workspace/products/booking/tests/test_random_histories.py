"""Any sequence of operations gives the same result as a model that tracks each minute of a day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from workspace.lib.errors import OperationNotAllowedError
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.domain.availability_query import load_availability
from workspace.products.booking.domain.booking_actions import Guest, SlotUnavailableError
from workspace.products.booking.models import Block, Booking, DateOverride, Service, Status
from workspace.products.booking.tests.pages import make_service
from workspace.products.booking.tests.times import window
from workspace.testing.api import make_account

MIDNIGHT = datetime(2026, 6, 5, tzinfo=UTC)
OPEN = (8 * 60, 20 * 60)
SERVICES = (
    {"duration": 30, "interval": 30, "buffer_after": 10, "min_notice_minutes": 60},
    {"duration": 45, "interval": 15, "buffer_before": 15, "min_notice_minutes": 0, "approval": True, "daily_cap": 2},
)
PAY_WITHIN, ANSWER_WITHIN = 45, 12 * 60
SLOTS = st.integers(7 * 4, 21 * 4).map(lambda quarter: quarter * 15)
LIVE = ("confirmed", "pending_payment")


@dataclass
class Visit:
    """An appointment, in minutes of the day."""

    service: int
    start: int
    before: int
    after: int
    status: str
    until: int = 0
    waits: str = ""

    @property
    def length(self) -> int:
        return int(SERVICES[self.service]["duration"])

    @property
    def minutes(self) -> set[int]:
        return set(range(self.start - self.before, self.start + self.length + self.after))


class Day(RuleBasedStateMachine):
    @initialize()
    def open(self) -> None:
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.travel = time_machine.travel(MIDNIGHT + timedelta(hours=6), tick=False)
        self.clock = self.travel.start()
        self.now = 6 * 60
        account = make_account()
        first = make_service(account, **SERVICES[0])
        self.page = first.page
        self.page.hours = [window("08:00–20:00")]
        self.page.save()
        self.services: list[Service] = [first, make_service(account, self.page, **SERVICES[1])]
        self.hours = OPEN
        self.blocked: set[int] = set()
        self.visits: dict[str, Visit] = {}

    def teardown(self) -> None:
        if hasattr(self, "travel"):
            self.travel.stop()
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    def is_free(self, visit: Visit, *, by_owner: bool = False, but: str = "") -> bool:
        others = [visit for id, visit in self.visits.items() if visit.status in LIVE and id != but]
        taken = set().union(self.blocked, *(visit.minutes for visit in others))
        within = self.hours[0] <= visit.start and visit.start + visit.length <= self.hours[1]
        if not within or visit.start < self.now or visit.minutes & taken:
            return False
        if by_owner:
            return True
        terms: dict[str, Any] = SERVICES[visit.service]
        full = sum(item.service == visit.service for item in others) >= terms.get("daily_cap", 99)
        on_grid = (visit.start - self.hours[0]) % terms["interval"] == 0
        return on_grid and not full and visit.start >= self.now + terms["min_notice_minutes"]

    def build_visit(self, service: int, start: int) -> Visit:
        terms: dict[str, Any] = SERVICES[service]
        return Visit(service, start, terms.get("buffer_before", 0), terms.get("buffer_after", 0), "confirmed")

    def expire_payments(self) -> None:
        for visit in self.visits.values():
            if visit.status == "pending_payment" and visit.until <= self.now:
                visit.status = "expired"

    def pick(self, number: int) -> tuple[Booking, Visit]:
        id = sorted(self.visits)[number % len(self.visits)]
        return Booking.objects.select_related("page", "resource", "service").get(pk=id), self.visits[id]

    def agree(self, expected: bool, act: Any) -> Any:
        """Run the operation if the model expects success. Otherwise check that it is rejected and changes nothing."""
        before = list(Booking.objects.order_by("pk").values())
        try:
            with transaction.atomic():
                done = act()
        except (SlotUnavailableError, OperationNotAllowedError):
            assert not expected
            assert list(Booking.objects.order_by("pk").values()) == before
            return None
        assert expected
        return done

    # the operations

    @rule(service=st.integers(0, 1), start=SLOTS, by_owner=st.booleans(), pays=st.booleans())
    def book(self, service: int, start: int, by_owner: bool, pays: bool) -> None:
        visit = self.build_visit(service, start)
        if pays:
            visit = replace(visit, status="pending_payment", until=min(self.now + PAY_WITHIN, start), waits="payment")
        elif service == 1 and not by_owner:
            visit = replace(
                visit, status="pending_payment", until=min(self.now + ANSWER_WITHIN, start), waits="approval"
            )
        hold = timedelta(minutes=PAY_WITHIN) if pays else None
        booked = self.agree(
            self.is_free(visit, by_owner=by_owner),
            lambda: booking_actions.create_booking(
                self.services[service], MIDNIGHT + timedelta(minutes=start), Guest(name="Ada"), by_owner=by_owner,
                pay_within=hold,
            ),
        )  # fmt: skip
        if booked:
            self.visits[booked.pk] = visit

    @rule(minutes=st.sampled_from([1, 20, 44, 90, 300]))
    def wait(self, minutes: int) -> None:
        self.now += minutes
        self.clock.move_to(MIDNIGHT + timedelta(minutes=self.now))
        self.expire_payments()

    @precondition(lambda self: self.visits)
    @rule(number=st.integers(0, 50), start=SLOTS, by_owner=st.booleans())
    def move(self, number: int, start: int, by_owner: bool) -> None:
        booking, visit = self.pick(number)
        existing = replace(visit, start=start)
        possible = visit.status in LIVE and (
            start == visit.start or self.is_free(existing, by_owner=by_owner, but=booking.pk)
        )
        at = MIDNIGHT + timedelta(minutes=start)
        if self.agree(possible, lambda: booking_actions.move_booking(booking, at, by_owner=by_owner)):
            self.visits[booking.pk] = (
                replace(existing, until=min(existing.until, start)) if start != visit.start else existing
            )

    @precondition(lambda self: self.visits)
    @rule(number=st.integers(0, 50))
    def cancel(self, number: int) -> None:
        booking, visit = self.pick(number)
        if self.agree(visit.status != "expired", lambda: booking_actions.cancel_booking(booking)):
            visit.status, visit.waits = "cancelled", ""

    @precondition(lambda self: self.visits)
    @rule(number=st.integers(0, 50), yes=st.booleans())
    def answer_request(self, number: int, yes: bool) -> None:
        booking, visit = self.pick(number)
        asks = visit.status == "pending_payment" and visit.waits == "approval"
        if yes:
            possible = asks and self.is_free(visit, by_owner=True, but=booking.pk)
            if self.agree(possible or visit.status == "confirmed", lambda: booking_actions.approve_booking(booking)):
                visit.status, visit.waits = "confirmed", ""
        elif self.agree(asks or visit.status == "cancelled", lambda: booking_actions.decline_booking(booking)):
            visit.status, visit.waits = "cancelled", ""

    @precondition(lambda self: self.visits)
    @rule(number=st.integers(0, 50))
    def pay(self, number: int) -> None:
        booking, visit = self.pick(number)
        stored = visit.status in LIVE or (
            visit.status == "expired" and self.is_free(visit, by_owner=True, but=booking.pk)
        )
        assert booking_actions.confirm_paid(booking) is stored
        if stored:
            visit.status, visit.waits = "confirmed", ""

    @rule(hours=st.sampled_from([OPEN, (9 * 60 + 10, 12 * 60), (13 * 60, 13 * 60)]))
    def override(self, hours: tuple[int, int]) -> None:
        self.hours = hours
        begin, end = (f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in hours)
        windows = [window(f"{begin}–{end}")] if begin != end else []
        DateOverride.objects.update_or_create(page=self.page, date=MIDNIGHT.date(), defaults={"windows": windows})

    @rule(start=SLOTS, length=st.sampled_from([10, 60]))
    def block(self, start: int, length: int) -> None:
        self.blocked = set(range(start, start + length))
        Block.objects.all().delete()
        booking_actions.create_block(
            self.page, MIDNIGHT + timedelta(minutes=start), MIDNIGHT + timedelta(minutes=start + length)
        )

    # the invariants

    @invariant()
    def the_same_times_are_free(self) -> None:
        day = MIDNIGHT.date()
        for number, service in enumerate(getattr(self, "services", [])):
            results = load_availability(self.page, service.build_terms(), day, day, service=service).list_free(day, day)
            minutes = [(moment - int(MIDNIGHT.timestamp())) // 60 for moment in results]
            assert minutes == [start for start in range(0, 24 * 60, 5) if self.is_free(self.build_visit(number, start))]

    @invariant()
    def every_booking_is_where_it_should_be(self) -> None:
        now = MIDNIGHT + timedelta(minutes=getattr(self, "now", 0))
        result = {
            booking.pk: (
                booking.current_status(now).value,
                int((booking.starts_at - MIDNIGHT) / timedelta(minutes=1)),
                booking.pending_reason,
            )
            for booking in Booking.objects.all()
        }
        waits = {id: visit.waits if visit.status != "expired" else result[id][2] for id, visit in self._all().items()}
        assert result == {id: (visit.status, visit.start, waits[id]) for id, visit in self._all().items()}

    @invariant()
    def no_two_share_a_minute(self) -> None:
        live = Booking.objects.filter(status__in=[Status.CONFIRMED]).order_by("blocked_from")
        spans = list(live.values_list("blocked_from", "blocked_until"))
        assert all(before[1] <= after[0] for before, after in pairwise(spans))

    def _all(self) -> dict[str, Visit]:
        return getattr(self, "visits", {})


@pytest.mark.django_db
def test_any_sequence_of_a_day_matches_the_model() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Day,
        settings=settings(
            max_examples=15 if connection.vendor == "sqlite" else 3,  # on PostgreSQL each step takes ten times as long
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
