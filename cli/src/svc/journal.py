"""Which rows of an import are done. Replays count against the day's quota and the service forgets idempotency
keys after 24 hours, so a rerun must know by itself what it need not send."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from svc.folders import state_folder


class Journal:
    """The done rows of one file for one tool, account and service; one line a row, written as it happens."""

    def __init__(self, *identity: str) -> None:
        self._seed = hashlib.sha256(json.dumps(identity).encode()).hexdigest()
        self._path = state_folder() / "imports" / f"{self._seed[:32]}.jsonl"
        self._round = 1
        self.done: set[int] = set()
        self._read()

    @property
    def path(self) -> Path:
        return self._path

    def key_of(self, row: int) -> str:
        """The idempotency key of a row: the same whenever the same file is sent again by the same account."""
        return f"svc-import-{hashlib.sha256(f'{self._seed}:{self._round}:{row}'.encode()).hexdigest()[:40]}"

    def start_over(self) -> None:
        """Forget what was done: every row is sent again, under new keys."""
        self._append({"round": self._round + 1})
        self._read()

    def note(self, row: int) -> None:
        """Remember that a row is done. Raises OSError when that cannot be written."""
        self.done.add(row)
        self._append({"row": row})

    def _append(self, line: dict[str, int]) -> None:
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
            # A line cut short by a power cut is a row that is sent again, under the same key.
            with contextlib.suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                if "round" in entry:
                    self._round, self.done = int(entry["round"]), set()
                else:
                    self.done.add(int(entry["row"]))
