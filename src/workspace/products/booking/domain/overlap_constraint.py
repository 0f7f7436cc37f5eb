"""The database itself refuses two live bookings of one resource that overlap, whatever our code does.

On PostgreSQL an exclusion constraint. A resource stands in it as a range of one number, so that no extension is needed,
which not every server has. On SQLite two triggers; Django makes a table anew when a column of it changes, and with the
old table its triggers go, so each migration that alters bookings ends with `guard`.
"""

from __future__ import annotations

from typing import Any

NAME = "no_two_bookings_at_once"
_LIVE = "('confirmed', 'pending_payment')"
_CONSTRAINT = f"""
ALTER TABLE booking_booking ADD CONSTRAINT {NAME} EXCLUDE USING gist (
    int8range(resource_id, resource_id, '[]') WITH &&,
    tstzrange(protected_from, protected_until) WITH &&
) WHERE (status IN {_LIVE})
"""

_TRIGGER = f"""
CREATE TRIGGER {NAME}_%(name)s BEFORE %(event)s ON booking_booking
WHEN NEW.status IN {_LIVE} AND EXISTS (
    SELECT 1 FROM booking_booking AS other
    WHERE other.resource_id = NEW.resource_id AND other.status IN {_LIVE} AND other.id <> NEW.id
    AND other.protected_until > NEW.protected_from AND other.protected_from < NEW.protected_until
)
BEGIN SELECT RAISE(ABORT, '{NAME}'); END
"""  # noqa: S608
_EVENTS = {
    "insert": "INSERT",
    "update": "UPDATE OF id, resource_id, status, protected_from, protected_until",
}


def guard(apps: Any, schema_editor: Any) -> None:
    """For `RunPython`, after whatever else the migration does to bookings."""
    unguard(apps, schema_editor)
    if schema_editor.connection.vendor == "sqlite":
        for name, event in _EVENTS.items():
            schema_editor.execute(_TRIGGER % {"name": name, "event": event})
    else:
        schema_editor.execute(_CONSTRAINT)


def unguard(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "sqlite":
        for name in _EVENTS:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {NAME}_{name}")
    else:
        schema_editor.execute(f"ALTER TABLE booking_booking DROP CONSTRAINT IF EXISTS {NAME}")


def is_overlap(error: Exception) -> bool:
    """Whether it is this rule that an IntegrityError tells of."""
    return NAME in str(error)
