"""The validity of signatures.

Days are in the account's time zone. A waiver is valid through its last day, regardless of clock changes.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

# {"years": 1}, {"months": 6}, {"days": 30}, {"until": "2027-06-30"}, {"end_of_year": true} or {}
Span = dict[str, Any]
NO_EXPIRY: Span = {}


class Reason(StrEnum):
    """The reasons for a signature's state, in order of precedence."""

    VOIDED = "voided"
    EXPIRED = "expired"
    OUTDATED = "outdated"
    OF_AGE = "of_age"
    VALID = "valid"


@dataclass(frozen=True, slots=True)
class ValidityInput:
    """The fields of a signature that determine its validity.

    `expires_at` and `of_age_at` are the times from which it is no longer valid, or None. `of_age_at` is set only if a
    guardian signed.
    """

    version: int
    expires_at: datetime | None = None
    of_age_at: datetime | None = None
    is_voided: bool = False


def find_reason(copy: ValidityInput, required_version: int, now: datetime) -> Reason:
    if copy.is_voided:
        return Reason.VOIDED
    if copy.expires_at is not None and now >= copy.expires_at:
        return Reason.EXPIRED
    if copy.version < required_version:
        return Reason.OUTDATED
    if copy.of_age_at is not None and now >= copy.of_age_at:
        return Reason.OF_AGE
    return Reason.VALID


def compute_expiry(span: Span, signed_at: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the time at which the last valid day ends, or None if the signature never expires."""
    last = compute_last_day(span, signed_at.astimezone(zone).date())
    return start_of_day(last + timedelta(days=1), zone) if last is not None and last < date.max else None


def compute_last_day(span: Span, signed_on: date) -> date | None:
    """Return the last valid day. One month after January 31, and one year after February 29, is February 28."""
    if "until" in span:
        return date.fromisoformat(span["until"])
    if span.get("end_of_year"):
        return date(signed_on.year, 12, 31)
    if "days" in span:
        return signed_on + timedelta(days=span["days"])
    if months := 12 * span.get("years", 0) + span.get("months", 0):
        return _add_months(signed_on, months)
    return None


def compute_majority(born: date, age: int, zone: ZoneInfo) -> datetime:
    """Return the start of the birthday on which the person comes of age.

    For someone born on February 29, that is March 1 in years that are not leap years.
    """
    return start_of_day(compute_birthday(born, age), zone)


def compute_birthday(born: date, age: int) -> date:
    try:
        return born.replace(year=born.year + age)
    except ValueError:
        return date(born.year + age, 3, 1)


def latest_birth_date(today: date, age: int) -> date:
    """Return the latest birth date of people who are of age today."""
    try:
        return today.replace(year=today.year - age)
    except ValueError:
        return date(today.year - age, 2, 28)


def is_of_age(born: date, age: int, today: date) -> bool:
    return today >= compute_birthday(born, age)


def start_of_day(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, zone)


def _add_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))
