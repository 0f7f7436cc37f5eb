"""A database constraint against overlapping live bookings of the same resource.

On PostgreSQL it is an exclusion constraint. It uses the resource's id as a range of a single number, so that it does
not need an extension, which some servers lack. On SQLite it is two triggers. When a column changes, Django creates a
new table, and the triggers are lost with the old one. Each migration that alters bookings therefore ends with
`add_constraint`.
"""

from __future__ import annotations

from typing import Any

CONSTRAINT_NAME = "no_two_bookings_at_once"
_LIVE_STATUSES_SQL = "('confirmed', 'pending_payment')"
_CONSTRAINT_SQL = f"""
ALTER TABLE booking_booking ADD CONSTRAINT {CONSTRAINT_NAME} EXCLUDE USING gist (
    int8range(resource_id, resource_id, '[]') WITH &&,
    tstzrange(blocked_from, blocked_until) WITH &&
) WHERE (status IN {_LIVE_STATUSES_SQL})
"""

_TRIGGER_SQL = f"""
CREATE TRIGGER {CONSTRAINT_NAME}_%(name)s BEFORE %(event)s ON booking_booking
WHEN NEW.status IN {_LIVE_STATUSES_SQL} AND EXISTS (
    SELECT 1 FROM booking_booking AS other
    WHERE other.resource_id = NEW.resource_id AND other.status IN {_LIVE_STATUSES_SQL} AND other.id <> NEW.id
    AND other.blocked_until > NEW.blocked_from AND other.blocked_from < NEW.blocked_until
)
BEGIN SELECT RAISE(ABORT, '{CONSTRAINT_NAME}'); END
"""  # noqa: S608
_TRIGGER_EVENTS = {
    "insert": "INSERT",
    "update": "UPDATE OF id, resource_id, status, blocked_from, blocked_until",
}


def add_constraint(apps: Any, schema_editor: Any) -> None:
    """Add the constraint. Call it with `RunPython`, after all other changes to bookings in a migration."""
    drop_constraint(apps, schema_editor)
    if schema_editor.connection.vendor == "sqlite":
        for name, event in _TRIGGER_EVENTS.items():
            schema_editor.execute(_TRIGGER_SQL % {"name": name, "event": event})
    else:
        schema_editor.execute(_CONSTRAINT_SQL)


def drop_constraint(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "sqlite":
        for name in _TRIGGER_EVENTS:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {CONSTRAINT_NAME}_{name}")
    else:
        schema_editor.execute(f"ALTER TABLE booking_booking DROP CONSTRAINT IF EXISTS {CONSTRAINT_NAME}")


def is_overlap_error(error: Exception) -> bool:
    """Return whether an IntegrityError comes from this constraint."""
    return CONSTRAINT_NAME in str(error)
