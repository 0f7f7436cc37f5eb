"""Deletion of expired sessions, and of the addresses in their list of devices."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction


def delete_expired_sessions() -> None:
    with write_transaction():
        Session.objects.filter(expire_date__lt=clock.now()).delete()
        alive = Session.objects.values("session_key")
        UserSession.objects.exclude(session_key__in=alive).delete()
