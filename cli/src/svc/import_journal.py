"""A journal of the finished rows of an import.

Repeated calls count against the day's quota, and the service deletes idempotency keys after 24 hours. A rerun must
therefore know which rows not to send.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from svc.app_folders import state_folder


class ImportJournal:
    """The ids of the finished rows for one tool, account and service, written while the import runs.

    `pending_ids` are the ids of a call that was started and whose outcome is unknown. The unchanged call, stored in
    `pending_call`, is sent again with the same key, so that the service executes it only once, whether or not it had
    arrived.
    """

    def __init__(self, *identity: str) -> None:
        self._seed = hashlib.sha256(json.dumps(identity).encode()).hexdigest()
        self._path = state_folder() / "imports" / f"{self._seed[:32]}.jsonl"
        self._reset_counts: Counter[str] = Counter()
        self.done_ids: set[str] = set()
        self.pending_ids: list[str] = []
        self.pending_call: dict[str, Any] = {}
        self._load()

    @property
    def path(self) -> Path:
        return self._path

    def key_for(self, ids: list[str]) -> str:
        """Return the idempotency key of a call, which is the same whenever the same rows are sent in one call."""
        named = ",".join(f"{id}:{self._reset_counts[id]}" for id in ids)
        return f"svc-import-{hashlib.sha256(f'{self._seed}:{named}'.encode()).hexdigest()[:40]}"

    def start_over(self, ids: list[str]) -> None:
        """Forget that these rows were finished, so that they are sent again with new keys."""
        self._append({"forgotten": ids})
        self._load()

    def start_call(self, ids: list[str], call: dict[str, Any]) -> None:
        """Record the content of a call that is about to be sent. Raise OSError if it cannot be written."""
        self.pending_ids, self.pending_call = ids, call
        self._append({"begun": ids, "call": call})

    def finish_call(self, ids: list[str]) -> None:
        """Record which rows of the pending call are finished, which may be none."""
        self.pending_ids, self.pending_call = [], {}
        self.done_ids |= set(ids)
        self._append({"done": ids})

    def _append(self, line: dict[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(self._path, "a", encoding="utf-8", opener=_open_privately) as file:
            # The leading newline ends a line that a power failure left incomplete.
            file.write(f"\n{json.dumps(line)}\n")

    def _load(self) -> None:
        self._reset_counts.clear()
        self.done_ids, self.pending_ids, self.pending_call = set(), [], {}
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            # A line truncated by a power failure belongs to a call that is sent again with the same key.
            with contextlib.suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                if "forgotten" in entry:
                    forgotten = {str(id) for id in entry["forgotten"]}
                    self._reset_counts.update(forgotten)
                    self.done_ids -= forgotten
                    if forgotten & set(self.pending_ids):
                        self.pending_ids, self.pending_call = [], {}
                elif "begun" in entry:
                    self.pending_ids, self.pending_call = [str(id) for id in entry["begun"]], dict(entry["call"])
                else:
                    self.done_ids |= {str(id) for id in entry["done"]}
                    self.pending_ids, self.pending_call = [], {}


def _open_privately(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
