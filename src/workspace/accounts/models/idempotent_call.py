"""Writes with an Idempotency-Key, stored with their answers for a day, so that a retry changes nothing."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from workspace.accounts import messages
from workspace.lib import clock
from workspace.lib.errors import IdempotencyKeyReusedError
from workspace.storage.database.compiled_write import CompiledModel
from workspace.tools.answer import Answer

RETENTION = timedelta(hours=24)


def compute_fingerprint(tool: str, arguments: Any) -> str:
    canonical = json.dumps([tool, arguments], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class IdempotentCall(CompiledModel):
    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=256)
    fingerprint = models.CharField(max_length=64)
    data = models.JSONField(encoder=DjangoJSONEncoder)
    text = models.TextField()
    created_at = models.DateTimeField(default=clock.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "key"], name="one_call_a_key")]

    def __str__(self) -> str:
        return self.key

    @classmethod
    def find_answer(cls, account_id: str, key: str, fingerprint: str) -> Answer[Any] | None:
        """Return the stored answer, or None. Delete it if it has expired.

        Raise IdempotencyKeyReusedError if the key was used with other arguments.
        """
        call = cls.objects.filter(account_id=account_id, key=key).first()
        if call is None:
            return None
        if call.created_at < clock.now() - RETENTION:
            call.delete()
            return None
        if call.fingerprint != fingerprint:
            raise IdempotencyKeyReusedError(messages.IDEMPOTENCY_KEY_REUSED)
        return Answer(call.data, call.text, replayed=True)

    @classmethod
    def save_answer(cls, account_id: str, key: str, fingerprint: str, answer: Answer[Any]) -> None:
        cls.objects.create(account_id=account_id, key=key, fingerprint=fingerprint, data=answer.data, text=answer.text)

    @classmethod
    def delete_old(cls) -> int:
        return cls.objects.filter(created_at__lt=clock.now() - RETENTION).delete()[0]
