"""Types of arguments for tools on accounts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workspace.tools.argument_types import Line

BusinessName = Annotated[str, Line(120), Field(description="Business name shown to guests.")]
