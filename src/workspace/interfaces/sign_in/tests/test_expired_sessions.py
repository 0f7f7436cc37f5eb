from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

from workspace.interfaces.sign_in.session_cleanup import delete_expired_sessions
from workspace.lib import clock
from workspace.testing.sign_in import make_person

pytestmark = pytest.mark.django_db


def test_expired_sessions_and_their_devices_are_deleted() -> None:
    person = make_person()
    for key, ends in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=clock.now() + timedelta(days=ends))
        UserSession.objects.create(user=person, session_key=key, ip="192.0.2.1", user_agent="x")
    delete_expired_sessions()
    assert [row.session_key for row in Session.objects.all()] == ["new"]
    assert [row.session_key for row in UserSession.objects.all()] == ["new"]
