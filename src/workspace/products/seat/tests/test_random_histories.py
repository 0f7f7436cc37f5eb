"""Random histories of adding, seating, swapping, undoing, searching and accepting, compared with a small model.

No table has more guests than chairs, no one sits twice, and rejected calls change nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.delivery.jobs.worker import JobWorker
from workspace.lib.errors import ToolError
from workspace.products.seat.api import arrange_tools, bulk_tools, tools
from workspace.products.seat.models import Chart, Guest, SolverRun, Table
from workspace.products.seat.rules.solver import annealing
from workspace.testing.api import make_account

numbers = st.integers(0, 40)
ADDED = "added"  # stands for the previous table of a new guest


class Evening(RuleBasedStateMachine):
    """A chart and its model.

    `where`: each guest's table by the model. `seats`: each table's chairs. `past`: the moves of each planner that are
    not undone, newest last. `ahead`: those that they have undone.
    """

    @initialize(seats=st.lists(st.integers(1, 3), min_size=1, max_size=4))
    def create_chart(self, seats: list[int]) -> None:
        self.account = make_account(seat="business")
        self.planners = [Caller(self.account, bucket=f"key:{name}") for name in "ab"]
        made: Any = self.run_tool(0, tools.create, title="Gala", tables=[{"capacity": many} for many in seats])
        self.id = made["chart"]["id"]
        self.seats = {row["id"]: row["capacity"] for row in made["items"]}
        self.where: dict[str, str] = {}
        self.past: list[list[list[tuple[str, str, str]]]] = [[], []]
        self.ahead: list[list[list[tuple[str, str, str]]]] = [[], []]
        self.job = ""

    def run_tool(self, who: int, tool: Any, **arguments: Any) -> Any:
        return execute_tool(tool, self.planners[who], arguments).data

    def pick(self, number: int) -> str:
        return sorted(self.where)[number % len(self.where)]

    def table(self, number: int) -> str:
        """Return a table's id, or an empty string for none."""
        every = ["", *sorted(self.seats)]
        return every[number % len(every)]

    def load(self, table: str) -> int:
        return sum(at == table for at in self.where.values())

    def allowed(self, moves: list[tuple[str, str]]) -> bool:
        after = {**self.where, **dict(moves)}
        return all(
            sum(at == table for at in after.values()) <= max(seats, self.load(table))
            for table, seats in self.seats.items()
            if any(to == table and self.where[guest] != table for guest, to in moves)
        )

    def moved(self, who: int, moves: list[tuple[str, str]]) -> None:
        real = [(guest, self.where[guest], to) for guest, to in moves if self.where[guest] != to]
        self.where |= dict(moves)
        if real:
            self.past[who].append(real)
            self.ahead[who] = []

    @rule(many=st.integers(1, 4))
    def add(self, many: int) -> None:
        names = [f"Guest {len(self.where) + number}" for number in range(many)]
        rows = self.run_tool(0, tools.add_guests, event_id=self.id, guests=names)["items"]
        self.where |= {row["id"]: "" for row in rows}
        self.past[0].append([(row["id"], ADDED, "") for row in rows])
        self.ahead[0] = []

    @precondition(lambda self: self.where)
    @rule(who=st.integers(0, 1), guest=numbers, table=numbers, over=st.booleans())
    def assign(self, who: int, guest: int, table: int, over: bool) -> None:
        id, to = self.pick(guest), self.table(table)
        fields = {"table_id": to} if to else {}
        try:
            self.run_tool(who, tools.assign_guest, event_id=self.id, guest_id=id, allow_over_capacity=over, **fields)
        except ToolError:
            assert not over and not self.allowed([(id, to)])
        else:
            assert over or self.allowed([(id, to)])
            self.moved(who, [(id, to)])
            if over and to:
                self.seats[to] = max(self.seats[to], self.load(to))
                Table.objects.filter(pk=to).update(capacity=self.seats[to])  # the owner adds the chairs

    @precondition(lambda self: len(self.where) > 1)
    @rule(who=st.integers(0, 1), one=numbers, other=numbers)
    def swap(self, who: int, one: int, other: int) -> None:
        a, b = self.pick(one), self.pick(other)
        if a == b:
            return
        moves = [(a, self.where[b]), (b, self.where[a])]
        items = [{"id": guest, "table_id": to} for guest, to in moves]
        self.run_tool(who, bulk_tools.save_guests, event_id=self.id, items=items)
        self.moved(who, moves)

    @rule(who=st.integers(0, 1), back=st.booleans())
    def step_history(self, who: int, back: bool) -> None:
        source, goal = (self.past, self.ahead) if back else (self.ahead, self.past)
        if not source[who]:
            with pytest.raises(ToolError):
                self.run_tool(who, arrange_tools.arrange, event_id=self.id, step="undo" if back else "redo")
            return
        step = source[who].pop()
        if step[0][1] == ADDED:
            self.turn_added(who, step, back)
            return
        goal[who].append(step)
        requested = [(guest, to, at) if back else (guest, at, to) for guest, at, to in step]
        done = self.run_tool(who, arrange_tools.arrange, event_id=self.id, step="undo" if back else "redo")
        made = {row["guest_id"]: row["to_id"] for row in done["moves"]}
        for guest, at, to in requested:
            if guest in made:
                assert self.where[guest] == at and made[guest] == to
                self.where[guest] = to
            elif self.where.get(guest) == at and at != to:
                assert self.load(to) >= self.seats.get(to, 99), "refused for no reason"

    def turn_added(self, who: int, step: list[tuple[str, str, str]], back: bool) -> None:
        """Undo or redo adding guests. Undo is refused if a later move by the other planner concerns them."""
        guests = {guest for guest, _, _ in step}
        if back and any(guest in guests for moves in self.past[1 - who] for guest, _, _ in moves):
            with pytest.raises(ToolError, match="Undo that change first"):
                self.run_tool(who, arrange_tools.arrange, event_id=self.id, step="undo")
            self.past[who].append(step)
            return
        self.run_tool(who, arrange_tools.arrange, event_id=self.id, step="undo" if back else "redo")
        (self.ahead if back else self.past)[who].append(step)
        if back:
            self.where = {guest: at for guest, at in self.where.items() if guest not in guests}
        else:
            self.where |= {guest.pk: guest.table_id or "" for guest in Guest.objects.filter(pk__in=guests)}

    @precondition(lambda self: self.where)
    @rule()
    def search(self) -> None:
        try:
            self.job = self.run_tool(0, arrange_tools.arrange, event_id=self.id, seconds=1)["job_id"]
        except ToolError:
            assert len(self.where) > sum(self.seats.values())
            return
        lane = JobWorker()
        while lane.run_once():
            pass

    @precondition(lambda self: self.job)
    @rule(some=st.booleans())
    def accept(self, some: bool) -> None:
        moves = SolverRun.objects.get(job=self.job).moves
        fields = {"guest_ids": [move[0] for move in moves[::2]]} if some and moves else {}
        done = self.run_tool(0, arrange_tools.arrange, event_id=self.id, apply_job_id=self.job, **fields)
        for row in done["moves"]:
            assert self.where[row["guest_id"]] == row["from_id"]
        self.moved(0, [(row["guest_id"], row["to_id"]) for row in done["moves"]])

    @invariant()
    def everybody_sits_where_the_model_has_them(self) -> None:
        if not hasattr(self, "where"):
            return
        result = {pk: table or "" for pk, table in Guest.objects.filter(chart=self.id).values_list("pk", "table")}
        assert result == self.where
        assert all(self.load(table) <= seats for table, seats in self.seats.items())
        assert Chart.objects.get(pk=self.id).version >= Chart.objects.get(pk=self.id).steps.count()


@pytest.mark.django_db
def test_random_histories_never_overfill_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    real = annealing.find_seating

    def quick(*args: Any, **more: Any) -> Any:
        return real(*args, **{**more, "seconds": 600, "steps": 512})

    monkeypatch.setattr("workspace.products.seat.rules.solver.annealing.find_seating", quick)
    run_state_machine_as_test(
        Evening,
        settings=examples(
            max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
