"""Weekly times as arguments of tools, for `lib/weekly_hours.py`."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from workspace.lib.weekly_hours import Window
from workspace.tools import messages

MAX_WINDOWS = 14
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)


def check_clock_time(text: str) -> str:
    """Check that the text is a time such as `09:30` and return it. Raise ValueError otherwise."""
    if not _CLOCK.fullmatch(text):
        raise ValueError(messages.INVALID_CLOCK_TIME)
    return text


Clock = Annotated[
    str, StringConstraints(strip_whitespace=True), AfterValidator(check_clock_time), Field(examples=["11:30"])
]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class TimeWindow(BaseModel):
    """Times in the account's time zone. A window that ends at or before its start runs across midnight."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    days: Annotated[
        list[Day], Field(max_length=7, description="Days on which the window starts. An empty list means every day.")
    ] = []
    from_: Annotated[Clock, Field(alias="from", description="Start time, HH:MM.")]
    until: Annotated[Clock, Field(description="End time, HH:MM. A time at or before the start means the next day.")]


def _to_windows(windows: list[TimeWindow]) -> list[Window]:
    return [{"days": list(window.days), "from": window.from_, "until": window.until} for window in windows]


Windows = Annotated[list[TimeWindow], AfterValidator(_to_windows), Field(max_length=MAX_WINDOWS)]
