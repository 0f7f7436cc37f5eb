"""The tools for auto-seating: searching for a seating, accepting its moves, and undoing or redoing moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.delivery.models.job import ACTIVE_STATES
from workspace.lib.errors import ConflictError, InvalidInputError, NotFoundError, OperationNotAllowedError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.seat import messages
from workspace.products.seat.api.arguments import EventId, Version
from workspace.products.seat.api.text import list_under
from workspace.products.seat.api.tools import box
from workspace.products.seat.domain import (
    change_steps,
    guest_moves,
    seating_summary,
    solver_job,
    solver_snapshot,
    undo_history,
)
from workspace.products.seat.domain.queries import (
    all_guests_for,
    get_chart,
    natural_sort_key,
    preferences_for,
    tables_for,
)
from workspace.products.seat.models import Chart, SolverRun
from workspace.products.seat.rules.limits import MAX_ITEMS
from workspace.products.seat.rules.solver.obstacles import find_cheapest_split, find_obstacles
from workspace.products.seat.rules.solver.problem import build_problem
from workspace.products.seat.rules.table_labels import join_names
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id

DEFAULT_SECONDS, MAX_SECONDS = 5, 60


class MoveData(TypedDict):
    guest_id: str
    name: str
    party: str
    from_id: str
    from_table: str
    to_id: str
    to_table: str


class RejectedMoveData(TypedDict):
    guest_id: str
    name: str
    why: str


class SummaryData(TypedDict):
    """What the seating achieves."""

    rules_met: int
    rules: int
    parties_together: int
    parties: int
    fewest_guests: Annotated[int, Field(description="Number of guests at the table with the fewest, of those in use.")]
    most_guests: int
    exceptions: Annotated[list[str], Field(description="Broken rules, split parties and guests without a table.")]


class ArrangeResult(TypedDict):
    """The result of auto-seating.

    For a search, it has its job. For moves, it has `moves` and the guests who could not move, with the reason. For an
    applied plan, it also has the `summary` of the whole chart.
    """

    job_id: NotRequired[str]
    moves: list[MoveData]
    refused: list[RejectedMoveData]
    moved: int
    version: int
    summary: NotRequired[SummaryData]
    what: NotRequired[Annotated[str, Field(description="What was undone or redone.")]]


def _check_feasible(account: Account, arguments: Any) -> None:
    """Reject a search that cannot succeed, and name the reasons.

    It runs outside of the transaction, before a search starts.
    """
    if arguments.apply_job_id is not None or arguments.step is not None:
        return
    chart = get_chart(account, arguments.event_id)
    read = solver_snapshot.take_snapshot(chart, unseated_only=bool(arguments.unseated_only))
    if not read.tables:
        raise OperationNotAllowedError(messages.NO_TABLES)
    if not read.guests:
        raise OperationNotAllowedError(messages.NO_GUESTS)
    keeps_parties = not arguments.split_parties
    obstacles = find_obstacles(read.tables, read.guests, read.preferences, keeps_parties=keeps_parties)
    if not obstacles:
        return
    texts = [obstacle.text for obstacle in obstacles]
    problem = build_problem(read.tables, read.guests, read.preferences, keeps_parties=keeps_parties)
    for obstacle in obstacles:
        if obstacle.kind == "party_too_large":
            group = next(n for n, group in enumerate(problem.groups) if group.guests[0].id in obstacle.guests)
            if parts := find_cheapest_split(problem, group):
                party, sizes = problem.groups[group].guests[0].party_name, join_names(list(map(str, parts)))
                texts.append(str(messages.SPLIT_HINT(party=party, sizes=sizes)))
    raise OperationNotAllowedError(messages.NOT_ALL_SEATED(reasons=" ".join(texts)[:2000]))


@box.tool(
    "svc_seat_arrange",
    title="Generate a seating plan",
    about="Generate the best seating plan. It keeps parties together, respects capacity, locks and required rules, "
    "and meets as many preferences as possible. Runs as a job on a copy: svc_jobs_get shows progress, "
    "svc_jobs_stop stops it, and apply_job_id seats the guests. Later changes are kept.",
    short="Generate the best seating plan automatically.",
    synonyms="auto seat, automatically, seat everyone, optimize, assign all, arrange, shuffle, automatisch, alle "
    "platzieren, sitzplan generieren, optimieren, sentar a todos, automáticamente, distribuir invitados, optimizar",
    prepare=_check_feasible,
)
def arrange(
    caller: Caller,
    event_id: EventId,
    seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS, description="Search time in seconds. Defaults to 5.")]
    | None = None,
    max_moves: Annotated[int, Field(ge=0, le=10_000, description="Maximum number of seated guests to move.")]
    | None = None,
    unseated_only: Annotated[bool, Field(description="Whether to keep seated guests at their tables.")] | None = None,
    split_parties: Annotated[bool, Field(description="Whether parties can be split across tables.")] | None = None,
    prove_optimal: Annotated[
        bool, Field(description="Whether to prove that the plan is optimal. For small charts only.")
    ]
    | None = None,
    balance: Annotated[
        int,
        Field(ge=-100, le=100, description="-100 fills tables, 100 spreads guests evenly. Defaults to 0."),
    ]
    | None = None,
    apply_job_id: Annotated[Id, Field(description="job_id of a finished search whose plan you want to apply.")]
    | None = None,
    guest_ids: Annotated[
        list[Id],
        Field(max_length=MAX_ITEMS, description="With apply_job_id: IDs of the guests to seat. Defaults to all."),
    ]
    | None = None,
    step: Annotated[
        Literal["undo", "redo"],
        Field(description="Action: undo or redo your last change to this chart."),
    ]
    | None = None,
    version: Version | None = None,
) -> Answer[ArrangeResult]:
    searching = {"seconds": seconds, "max_moves": max_moves, "unseated_only": unseated_only}
    searching |= {"split_parties": split_parties, "prove_optimal": prove_optimal, "balance": balance}
    items = [name for name, value in searching.items() if value is not None]
    if apply_job_id is not None and step is not None:
        raise InvalidInputError.at_path("step", messages.STEP_AND_SEARCH)
    if items and (apply_job_id is not None or step is not None):
        raise InvalidInputError.at_path(items[0], messages.ONLY_FOR_SEARCH)
    if guest_ids is not None and apply_job_id is None:
        raise InvalidInputError.at_path("guest_ids", messages.GUESTS_NEED_SEARCH)
    chart = get_chart(caller.account, event_id)
    if version is not None and version != chart.version:
        raise ConflictError(messages.CHART_CHANGED(current=chart.version, known=version))
    if step is not None:
        done = (
            undo_history.undo_last(chart, caller.actor_key)
            if step == "undo"
            else undo_history.redo_last(chart, caller.actor_key)
        )
        return _moves_answer(chart, done, "Undone" if step == "undo" else "Redone")
    if apply_job_id is not None:
        applied = _apply_run(caller, chart, apply_job_id, guest_ids)
        return _moves_answer(chart, applied, "Plan applied", job=apply_job_id, summary=_summarize(chart))
    options = {name: value for name, value in searching.items() if value is not None and name != "seconds"}
    run = solver_job.start_search(chart, seconds=seconds or DEFAULT_SECONDS, options=options)
    data: ArrangeResult = {"job_id": run.job_id, "moves": [], "refused": [], "moved": 0, "version": chart.version}
    text = (
        f"Searching for a seating plan for {seconds or DEFAULT_SECONDS} seconds. Chart version: {chart.version}. "
        f"svc_jobs_get job_id={run.job_id} shows the best so far; "
        f"svc_seat_arrange apply_job_id={run.job_id} seats them."
    )
    return Answer(data, text)


def _summarize(chart: Chart) -> SummaryData:
    people = [guest for guest in all_guests_for.fetch(chart) if solver_snapshot.is_expected(chart, guest)]
    places = {guest.pk: guest.table_id or "" for guest in people}
    summary = seating_summary.summarize_seating(tables_for(chart), people, preferences_for.fetch(chart), places)
    return cast(SummaryData, asdict(summary))


def _apply_run(caller: Caller, chart: Chart, job_id: str, guest_ids: Sequence[str] | None) -> undo_history.UndoResult:
    run = SolverRun.objects.filter(job=job_id, chart=chart).first()
    if run is None:
        raise NotFoundError(messages.SEARCH_NOT_FOUND)
    if not run.has_solution:
        over = run.job.state not in ACTIVE_STATES
        raise OperationNotAllowedError(messages.NO_SOLUTION if over else messages.NO_SOLUTION_YET)
    moves = run.moves
    if guest_ids is not None:
        known = {move[0] for move in moves}
        for number, id in enumerate(guest_ids):
            if id not in known:
                raise InvalidInputError.at_path(f"guest_ids.{number}", messages.GUEST_NOT_MOVED)
        moves = [move for move in moves if move[0] in set(guest_ids)]
    done = undo_history.apply_valid_moves(chart, moves, check_rules=True)
    if done.moves:
        change_steps.record_step(chart, caller.actor_key, "apply", moves=done.moves)
    return done


def serialize_moves(chart: Chart, moves: Sequence[list[str]]) -> list[MoveData]:
    """Return the moves of guests who are still on the chart, ordered by new table."""
    guests = {guest.pk: guest for guest in chart.guests.filter(pk__in=[move[0] for move in moves])}
    names = {id: table.name for id, table in guest_moves.tables_by_id(chart).items()}
    rows: list[MoveData] = [
        {
            "guest_id": id,
            "name": guests[id].name,
            "party": guests[id].party,
            "from_id": before,
            "from_table": names.get(before, ""),
            "to_id": after,
            "to_table": names.get(after, ""),
        }
        for id, before, after in moves
        if id in guests
    ]
    return sorted(rows, key=lambda row: (natural_sort_key(row["to_table"]), row["party"], row["name"]))


def _moves_answer(
    chart: Chart, result: undo_history.UndoResult, action: str, job: str = "", summary: SummaryData | None = None
) -> Answer[ArrangeResult]:
    data: ArrangeResult = {
        "moves": serialize_moves(chart, result.moves),
        "refused": [
            {"guest_id": reason.guest.pk, "name": reason.guest.name, "why": str(reason.text)}
            for reason in result.rejected
        ],
        "moved": len(result.moves),
        "version": chart.version,
    }
    if result.what:
        data["what"] = result.what
    if job:
        data["job_id"] = job
    if summary is not None:
        data["summary"] = summary
    return Answer(data, lambda: _format_moves(data, action))


def _format_moves(data: ArrangeResult, action: str) -> str:
    what = f": {escape_markdown(data['what'])}" if data.get("what") else ""
    head = f"{action}{what}. {format_count(data['moved'], 'guest')} moved. Chart version: {data['version']}."
    if "job_id" in data:
        head += f" Search: `{data['job_id']}`."
    lines = [f"- {format_move(row)}" for row in data["moves"]]
    if "summary" in data:
        head += f"\n{_format_summary(data['summary'])}"
        lines += list_under("Exceptions", map(escape_markdown, data["summary"]["exceptions"]))
    if data["refused"]:
        lines += ["", "Not moved:"]
        lines += [
            f"- {escape_markdown(row['name'])} `{row['guest_id']}`: {escape_markdown(row['why'])}"
            for row in data["refused"]
        ]
    return "\n".join([head, "", *lines])


def _format_summary(summary: SummaryData) -> str:
    return (
        f"Rules met: {summary['rules_met']} of {summary['rules']}. "
        f"Parties together: {summary['parties_together']} of {summary['parties']}. "
        f"Guests per table: {summary['fewest_guests']} to {summary['most_guests']}."
    )


def format_move(row: MoveData) -> str:
    def table(id: str, name: str) -> str:
        return f"table {escape_markdown(name)} `{id}`" if id else "no table"

    party = f" (party {escape_markdown(row['party'])})" if row["party"] else ""
    existing = f"{table(row['from_id'], row['from_table'])} → {table(row['to_id'], row['to_table'])}"
    return f"{escape_markdown(row['name'])} `{row['guest_id']}`{party}: {existing}"
