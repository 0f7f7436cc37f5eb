"""Demo data: a wedding of 96 guests at twelve tables of eight, with families, friends, preferences and a floor plan."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle
from random import Random

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.seat.domain import change_steps, guests, preferences, solver_snapshot
from workspace.products.seat.domain import tables as seat_tables
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.products.seat.rules.solver import annealing
from workspace.products.seat.rules.solver.problem import build_problem

FIRST_NAMES = (
    "Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Klara", "Leo", "Mia",
    "Noah", "Olga", "Paul", "Rosa", "Simon", "Tara", "Uli", "Vera", "Will", "Yara", "Zoe", "Amira", "Björn",
    "Chloé", "Đặng", "Elif", "Farid",
)  # fmt: skip
LAST_NAMES = (
    "Berg", "Okafor", "Lindqvist", "Moreau", "Novák", "Haddad", "Silva", "Müller", "Tanaka", "Rossi",
    "Kowalska", "Byrne", "Yılmaz", "Costa", "Weber",
)  # fmt: skip
PARTY_SIZES = (2, 4, 2, 3, 1, 2, 5, 2, 4, 2, 1, 3, 2)
MEALS = ("Sea bass", "Braised lamb", "Pumpkin risotto")
GUEST_COUNT = 96


def fill_account(account: Account) -> None:
    if account.seating_charts.exists():
        return
    day = clock.today(account.time_zone) + timedelta(days=40)
    chart = Chart.open(
        account,
        title="Anna & Ben’s wedding",
        date=day,
        venue="The old mill",
        width=2400.0,
        depth=1900.0,
        find_table=True,
        show_names=True,
        courses=[{"name": "Main", "choices": list(MEALS)}, {"name": "Dessert", "choices": ["Lemon tart", "Figs"]}],
    )
    room = [
        {"name": "1", "capacity": 8, "count": 12},
        {"kind": "dance_floor", "x": 1200.0, "y": 1620.0, "width": 700.0, "depth": 420.0},
        {"kind": "bar", "x": 350.0, "y": 1780.0},
    ]
    seat_tables.save_tables(chart, room, (), is_journaled=False)
    made, _ = guests.add_guests(chart, list(_generate_guests()))
    parties = list(dict.fromkeys(guest.party for guest in made if guest.party))
    pairs = [(parties[n], parties[n + 3], "together", "wanted") for n in range(0, len(parties) - 3, 4)]
    pairs += [(parties[1], parties[2], "apart", "must")]
    preference_items = [
        {"kind": kind, "between": [value, other], "weight": weight} for value, other, kind, weight in pairs
    ]
    preferences.save_preferences(chart, preference_items, (), path_prefix="preferences")
    _seat_guests(chart, made)
    change_steps.record_step(chart, "", "guests", guests=[guest.pk for guest in made])


def _generate_guests() -> list[dict[str, object]]:
    """Return the guests, which are the same on each call."""
    random = Random(7)  # noqa: S311 - not used as a secret
    made: list[dict[str, object]] = []
    for number, size in enumerate(cycle(PARTY_SIZES)):
        last = LAST_NAMES[number % len(LAST_NAMES)]
        for place in range(size):
            if len(made) == GUEST_COUNT:
                return made
            item: dict[str, object] = {
                "name": f"{FIRST_NAMES[(number * 7 + place * 11) % len(FIRST_NAMES)]} {last}",
                "party": f"{last} {number // len(LAST_NAMES) + 1}" if size > 1 else "",
                "reply": Reply.WAITING if random.random() < 0.06 else Reply.YES,
                "meals": [MEALS[int(random.random() * 3)], "Lemon tart"] if random.random() < 0.9 else [],
            }
            if size > 3 and place == size - 1:
                item |= {"chair": "high", "meals": []}
            if random.random() < 0.05:
                item |= {"diet": ["nut_free"], "notes": "Severe nut allergy"}
            made.append(item)
    return made


def _seat_guests(chart: Chart, guests: list[Guest]) -> None:
    """Seat the guests with the solver, which takes a fraction of a second."""
    read = solver_snapshot.take_snapshot(chart)
    problem = build_problem(read.tables, read.guests, read.preferences)
    seating = annealing.find_seating(problem, seconds=10, steps=6_000)
    if seating.breach:
        return
    tables = {table.pk: table for table in Table.objects.filter(chart=chart)}
    by_id = {guest.pk: guest for guest in guests}
    for group, place in zip(problem.groups, seating.places, strict=True):
        for item in group.guests:
            by_id[item.id].table = tables[problem.tables[place].id]
    Guest.objects.bulk_update(guests, ["table"], batch_size=200)
