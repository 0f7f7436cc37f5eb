"""Auto-seating as a job: a snapshot of the chart is searched in parts, and the result is stored after each part.

A killed worker loses only the current part. A stopped search keeps the best result so far. No guest moves until the
owner accepts the result.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.jobs import Item
from workspace.delivery.models import Job
from workspace.products.seat import messages
from workspace.products.seat.domain import solver_snapshot
from workspace.products.seat.domain.solver_snapshot import Snapshot
from workspace.products.seat.models import Chart, SolverRun
from workspace.products.seat.rules.solver import annealing, exact_search
from workspace.products.seat.rules.solver.problem import Guest, Preference, SeatingProblem, Table, build_problem
from workspace.products.seat.rules.solver.score import Seating

JOB_NAME = "seat.arrange"
FIRST_PART_SECONDS, PART_SECONDS = (
    0.3,
    1.0,
)  # seconds for the first part, after which there is a first result, and for the others


def start_search(chart: Chart, *, seconds: int, options: dict[str, Any]) -> SolverRun:
    """Start a search in the caller's transaction."""
    run = SolverRun(chart=chart, version=chart.version, options=options)
    parts = 1 + max(1, math.ceil((seconds - FIRST_PART_SECONDS) / PART_SECONDS))
    ends = [
        FIRST_PART_SECONDS,
        *(FIRST_PART_SECONDS + (seconds - FIRST_PART_SECONDS) * (part + 1) / (parts - 1) for part in range(parts - 1)),
    ]
    begins = [0.0, *ends[:-1]]
    bodies: list[dict[str, Any]] = [
        {
            "name": f"Part {number + 1}",
            "run": run.pk,
            "seconds": round(end - begin, 3),
            "span": [round(begin / seconds, 4), round(min(1.0, end / seconds), 4)],
        }
        for number, (begin, end) in enumerate(zip(begins, ends, strict=True))
    ]
    if options.get("prove_optimal"):
        bodies.append({"name": "Proof", "run": run.pk, "seconds": min(seconds, 20), "prove_optimal": True})
    run.job = jobs.start(chart.account, JOB_NAME, bodies)
    run.save(force_insert=True)
    return run


def search_parts(account: Account, items: Sequence[Item]) -> list[Any]:
    """Search a part outside of any transaction. Return the new values of the run."""
    return [_search_part(account, item.body) for item in items]


def _search_part(account: Account, body: dict[str, Any]) -> dict[str, Any] | None:
    run = SolverRun.objects.select_related("chart__account").filter(pk=body["run"], chart__account=account).first()
    if run is None:  # erased together with a person
        return None
    stored: dict[str, Any] = run.state
    snapshot = (
        load_snapshot(run)
        if stored
        else solver_snapshot.take_snapshot(run.chart, unseated_only=bool(run.options.get("unseated_only")))
    )
    problem = build_problem(
        snapshot.tables,
        snapshot.guests,
        snapshot.preferences,
        keeps_parties=not run.options.get("split_parties"),
        balance=run.options.get("balance", 0) / 100,
    )
    if not problem.groups or not problem.tables:
        return None
    if body.get("prove_optimal"):
        return _prove_best(run, problem, body["seconds"]) if run.has_solution else None
    seating = annealing.find_seating(
        problem,
        seconds=body["seconds"],
        most_moves=run.options.get("max_moves"),
        seed=zlib.crc32(run.pk.encode()) + stored.get("parts", 0),  # another search finds another seating
        initial_places=stored.get("last"),
        search_share=(body["span"][0], body["span"][1]),
    )
    best, is_found = seating.places, seating.breach == 0
    score = seating.score
    if run.has_solution and (
        not is_found or _compare_value(problem, run, stored["best"]) >= _compare_value(problem, run, list(best))
    ):
        best, score, is_found = tuple(stored["best"]), run.score or 0.0, True
    first = (
        run.first_found_seconds
        if run.first_found_seconds is not None or seating.first is None
        else stored.get("spent", 0.0) + seating.first
    )
    return {
        "version": snapshot.version,
        "state": {
            "read": _serialize_snapshot(snapshot),
            "last": list(seating.last),
            "best": list(best),
            "parts": stored.get("parts", 0) + 1,
            "spent": stored.get("spent", 0.0) + body["seconds"],
        },
        "score": score if is_found else None,
        "moves": list_moves(problem, best) if is_found else [],
        "initial_score": current_score(problem),
        "max_score": max_score(problem),
        "first_found_seconds": first,
        "has_solution": is_found,
    }


def _compare_value(problem: SeatingProblem, run: SolverRun, places: Sequence[int]) -> float:
    """Return a value for comparing two valid seatings.

    If moves are limited, a seating with fewer moves is slightly better, so that a chart that breaks rules is repaired
    with few moves.
    """
    seating = Seating(problem, places, most_moves=run.options.get("max_moves"))
    return seating.score if run.options.get("max_moves") is None else seating.score - 0.001 * seating.moves


def _prove_best(run: SolverRun, problem: SeatingProblem, seconds: float) -> dict[str, Any]:
    done = exact_search.find_best(problem, run.state["best"], most_moves=run.options.get("max_moves"), seconds=seconds)
    return {
        "state": {**run.state, "best": list(done.places)},
        "score": done.score,
        "moves": list_moves(problem, done.places),
        "max_score": done.bound,
        "is_optimal": done.is_proven,
    }


def save_part(account: Account, item: Item) -> None:
    """Store the result and the progress of a part, in the transaction of that part."""
    if item.ready is not None:
        SolverRun.objects.filter(pk=item.body["run"]).update(**item.ready)


def undo_search(account: Account, results: Sequence[Any]) -> None:
    """Do nothing, because a stopped search has changed nothing."""


def describe_progress(job: Job) -> str:
    """Describe the best result that a job has found so far."""
    run = SolverRun.objects.select_related("chart").filter(job=job).first()
    if run is None:
        return ""
    if not run.has_solution:
        return str(messages.SEARCH_WITHOUT_RESULT)
    parts = [messages.SEARCH_RESULT(score=f"{run.score:g}")]
    if run.initial_score is not None:
        parts.append(messages.SEARCH_START(score=f"{run.initial_score:g}"))
    if run.is_optimal:
        parts.append(messages.SEARCH_IS_OPTIMAL)
    elif run.max_score is not None and run.score is not None:
        parts.append(messages.SEARCH_MAXIMUM(points=f"{max(0.0, run.max_score - run.score):g}"))
    parts += [messages.SEARCH_MOVES(count=len(run.moves)), messages.SEARCH_NEXT_STEP(job=job.pk)]
    return " ".join(map(str, parts))


def list_moves(problem: SeatingProblem, places: Sequence[int]) -> list[list[str]]:
    return [
        [guest.id, guest.table, problem.tables[place].id]
        for group, place in zip(problem.groups, places, strict=True)
        for guest in group.guests
        if guest.table != problem.tables[place].id
    ]


def current_score(problem: SeatingProblem) -> float | None:
    """Return the current score of the chart, or None if someone has no table or a party is split."""
    homes = [max(group.homes, default=None) if len(group.homes) == 1 else None for group in problem.groups]
    if any(home is None or group.seated_count < group.size for home, group in zip(homes, problem.groups, strict=True)):
        return None
    return Seating(problem, [home for home in homes if home is not None]).score


def max_score(problem: SeatingProblem) -> float:
    """Return an upper bound of the score, with every preference met and no one seated among strangers."""
    met = sum(weight for preferences in (*problem.together, *problem.split) for _, weight in preferences) / 2
    met += sum(max(likes.values(), default=0) for likes in problem.likes)
    return met + sum(sum(dislikes.values()) for dislikes in problem.dislikes) + problem.fixed_weight


def _serialize_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "version": snapshot.version,
        "tables": [list(asdict(table).values()) for table in snapshot.tables],
        "guests": [list(asdict(guest).values()) for guest in snapshot.guests],
        "preferences": [list(asdict(preference).values()) for preference in snapshot.preferences],
    }


def load_snapshot(run: SolverRun) -> Snapshot:
    """Return the chart in the state that the search has read."""
    read: dict[str, Any] = run.state["read"]
    return Snapshot(
        read["version"],
        [Table(*table) for table in read["tables"]],
        [Guest(*guest) for guest in read["guests"]],
        [Preference(item[0], item[1], tuple(item[2]), *item[3:]) for item in read["preferences"]],
    )
