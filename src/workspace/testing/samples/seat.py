"""Samples of seating charts, for the tests across all products."""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api

FAMILY: list[dict[str, Any]] = [
    {"name": "Anna Berg", "party": "Berg", "meal": "Fish", "notes": "No nuts", "diet": ["nut_free"]},
    {"name": "Ben Berg", "party": "Berg", "email": "ben@example.com", "chair": "child"},
    {"name": "Cleo Sand"},
]


def make_chart(api: Api, number: int = 0, **fields: Any) -> dict[str, Any]:
    """Return the answer of svc_seat_create: a chart with two tables of four."""
    made: dict[str, Any] = api.run(
        "svc_seat_create", title=f"Wedding {number}", **{"tables": [{"capacity": 4, "count": 2}], **fields}
    )
    return made


def add(api: Api, chart_id: str, *guests: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = api.run("svc_seat_add_guests", event_id=chart_id, guests=list(guests))["items"]
    return rows


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to."""
    made = make_chart(api)
    chart, (one, other) = made["chart"]["id"], made["items"]
    anna, ben, cleo = add(api, chart, *FAMILY)
    api.run("svc_seat_assign", event_id=chart, guest_id=ben["id"], table_id=other["id"])
    [preference] = api.run(
        "svc_seat_edit", event_id=chart, preferences=[{"kind": "apart", "between": [anna["id"], cleo["id"]]}]
    )["preferences"]
    return {
        "chart": chart,
        "seat_table": one["id"],
        "other_table": other["id"],
        "guest": anna["id"],
        "other_guest": ben["id"],
        "third_guest": cleo["id"],
        "preference": preference["id"],
    }


SAMPLES = {
    "svc_seat_charts": lambda made: {},
    "svc_seat_tables": lambda made: {"event_id": made["chart"]},
    "svc_seat_guests": lambda made: {"event_id": made["chart"], "q": "ber", "unseated_only": True},
    "svc_seat_add_guests": lambda made: {"event_id": made["chart"], "guests": [*FAMILY, {"name": "Dora Moor"}]},
    "svc_seat_assign": lambda made: {
        "event_id": made["chart"], "guest_id": made["guest"], "table_id": made["seat_table"]
    },
    "svc_seat_create": lambda made: {
        "title": "Gala",
        "date": "2027-05-08",
        "venue": "Town hall",
        "courses": [{"name": "Main", "choices": ["Fish", "Lentils"]}, {"name": "Dessert"}],
        "find_table": True,
        "tables": [{"capacity": 6, "count": 2}, {"kind": "stage"}, {"name": "Couple", "shape": "head", "capacity": 2}],
    },
    "svc_seat_edit": lambda made: {
        "event_id": made["chart"],
        "venue": "The barn",
        "live": False,
        "preferences": [
            {"kind": "near", "between": ["Berg"], "table_id": made["seat_table"], "weight": "nice"},
            {"id": made["preference"], "weight": "must"},
        ],
    },
    "svc_seat_save_tables": lambda made: {
        "event_id": made["chart"],
        "items": [{"name": "Long", "shape": "rectangle", "capacity": 10}, {"id": made["seat_table"], "note": "Near"}],
        "remove": [made["other_table"]],
    },
    "svc_seat_save_guests": lambda made: {
        "event_id": made["chart"],
        "items": [
            {"name": "Dora Moor", "table_id": made["seat_table"], "seat": 2},
            {"id": made["guest"], "table_id": made["other_table"], "meals": ["Lentils"], "arrived": True},
        ],
        "remove": [made["third_guest"]],
    },
    "svc_seat_arrange": lambda made: {"event_id": made["chart"], "seconds": 1, "max_moves": 3},
    "svc_seat_export": lambda made: {"event_id": made["chart"], "kind": "guests"},
    "svc_seat_delete": lambda made: {"ids": [made["other_table"], made["guest"]]},
}  # fmt: skip


def _one_more(api: Api, number: int) -> Any:
    chart = api.account.seating_charts.order_by("id").first()
    assert chart is not None
    table = api.run("svc_seat_save_tables", event_id=chart.pk, items=[{}])["items"][0]["id"]
    [guest] = add(api, chart.pk, f"Guest {number}")
    api.run("svc_seat_assign", event_id=chart.pk, guest_id=guest["id"], table_id=table)
    return api.run("svc_seat_save_guests", event_id=chart.pk, items=[{"name": f"Berg {number}"}])


LISTS = {"svc_seat_charts": make_chart, "svc_seat_tables": _one_more, "svc_seat_guests": _one_more}
ADDRESSES = {
    "id": "chart",
    "table_id": "seat_table",
    "guest_id": "guest",
    "job_id": "no-such-search",
    "kind": "numbers",
    "step_id": "1",
}
