"""How an answer asks the server to wait and to ask again: `request.META[KEY].seconds = 1.5`.

The server then drops the answer, waits without using a thread, and calls once more. There is nothing under KEY where
waiting is not possible: in the second call, or with too many requests waiting. The answer is sent then.
"""

from __future__ import annotations

from dataclasses import dataclass

DELAY_KEY = "workspace.hold"


@dataclass(slots=True)
class Delay:
    seconds: float = 0.0
