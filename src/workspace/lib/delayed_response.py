"""A response can request a delay and a second call from the server: `request.META[KEY].seconds = 1.5`.

The server then discards the response, waits without blocking a thread, and calls the view again. KEY is absent if a
delay is not possible: in the second call, or if too many requests are waiting. The response is then sent.
"""

from __future__ import annotations

from dataclasses import dataclass

DELAY_KEY = "workspace.delay"


@dataclass(slots=True)
class Delay:
    seconds: float = 0.0
