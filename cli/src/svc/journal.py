"""Which rows of an import are done. Replays count against the day's quota and the service forgets idempotency
keys after 24 hours, so a rerun must know by itself what it need not send."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

from svc.folders import state_folder

Rows = list[int]


class Journal:
    """The done rows of one file for one tool, account and service; lines written as it happens.

    `under_way`: the rows of a call that was begun and whose end is unknown. It is to be sent again as it was, under the
    same key, so that the service does it once whether it had arrived or not.
    """

    def __init__(self, *identity: str) -> None:
        self._seed = hashlib.sha256(json.dumps(identity).encode()).hexdigest()
        self._path = state_folder() / "imports" / f"{self._seed[:32]}.jsonl"
        self._round = 1
        self.done: set[int] = set()
        self.under_way: Rows = []
        self._read()

    @property
    def path(self) -> Path:
        return self._path

    def key_of(self, rows: Rows) -> str:
        """The idempotency key of a call: the same whenever the same rows of the same file go in one call again."""
        named = ",".join(map(str, rows))
        return f"svc-import-{hashlib.sha256(f'{self._seed}:{self._round}:{named}'.encode()).hexdigest()[:40]}"

    def start_over(self) -> None:
        """Forget what was done: every row is sent again, under new keys."""
        self._append({"round": self._round + 1})
        self._read()

    def begin(self, rows: Rows) -> None:
        """Remember that a call is about to be sent. Raises OSError when that cannot be written."""
        self.under_way = rows
        self._append({"begun": rows})

    def end(self, rows: Rows) -> None:
        """Remember that these rows of the call under way are done, which may be none."""
        self.under_way = []
        self.done |= set(rows)
        self._append({"done": rows})

    def _append(self, line: dict[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._path.open("a", encoding="utf-8") as file:
            # The leading line end closes a line that a power cut left open.
            file.write(f"\n{json.dumps(line)}\n")

    def _read(self) -> None:
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            # A line cut short by a power cut is a call that is sent again, under the same key.
            with contextlib.suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                if "round" in entry:
                    self._round, self.done, self.under_way = int(entry["round"]), set(), []
                elif "begun" in entry:
                    self.under_way = [int(row) for row in entry["begun"]]
                else:
                    self.done |= {int(row) for row in entry["done"]}
                    self.under_way = []
