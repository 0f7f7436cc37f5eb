"""Which rows of an import are done. Replays count against the day's quota and the service forgets idempotency
keys after 24 hours, so a rerun must know by itself what it need not send."""

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
    """The rows that are done for one tool, account and service, by their ids; lines written as it happens.

    `pending_ids`: the ids of a call that was begun and whose end is unknown. It is to be sent again as it was, which
    `pending_call` holds, under the same key, so that the service does it once whether it had arrived or not.
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
        """The idempotency key of a call: the same whenever the same rows go in one call again."""
        named = ",".join(f"{id}:{self._reset_counts[id]}" for id in ids)
        return f"svc-import-{hashlib.sha256(f'{self._seed}:{named}'.encode()).hexdigest()[:40]}"

    def start_over(self, ids: list[str]) -> None:
        """Forget that these rows were done: they are sent again, under new keys."""
        self._append({"forgotten": ids})
        self._load()

    def start_call(self, ids: list[str], call: dict[str, Any]) -> None:
        """Remember that a call is about to be sent, and what it says. Raises OSError when that cannot be written."""
        self.pending_ids, self.pending_call = ids, call
        self._append({"begun": ids, "call": call})

    def finish_call(self, ids: list[str]) -> None:
        """Remember that these rows of the call under way are done, which may be none."""
        self.pending_ids, self.pending_call = [], {}
        self.done_ids |= set(ids)
        self._append({"done": ids})

    def _append(self, line: dict[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(self._path, "a", encoding="utf-8", opener=_open_privately) as file:
            # The leading line end closes a line that a power cut left open.
            file.write(f"\n{json.dumps(line)}\n")

    def _load(self) -> None:
        self._reset_counts.clear()
        self.done_ids, self.pending_ids, self.pending_call = set(), [], {}
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            # A line cut short by a power cut is a call that is sent again, under the same key.
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
