"""A way for a response to ask the server for a delay and a second call: `request.META[KEY].seconds = 1.5`.

The server then discards the response, waits without blocking a thread, and calls again. KEY is absent if a delay is
not possible: in the second call, or if too many requests wait. The response is then sent."""

from __future__ import annotations

from dataclasses import dataclass

DELAY_KEY = "workspace.delay"


@dataclass(slots=True)
class Delay:
    seconds: float = 0.0
