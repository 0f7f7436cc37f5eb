"""Signing out, and ending a single session. Allauth ends all other sessions."""

from __future__ import annotations

from allauth.account import views as account
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from workspace.accounts.models import Person
from workspace.dashboard import device_storage
from workspace.dashboard.session import require_sign_in
from workspace.owner_translation import owner_gettext


def end_sessions(person: Person) -> None:
    """End all of the person's sessions, including those missing from the list of devices.

    Django changes the key of a session when a new secret key is introduced.
    """
    UserSession.objects.filter(user=person).delete()
    for session in Session.objects.iterator():
        if session.get_decoded().get(SESSION_KEY) == str(person.pk):
            session.delete()


def sign_out(request: HttpRequest) -> HttpResponse:
    """Ask for confirmation on GET. On POST, sign out and delete the data on this device.

    Another person may use the device next.
    """
    response: HttpResponse = account.logout(request)
    if request.method == "POST":
        device_storage.clear_device_storage(response)
    return response


@require_POST
@require_sign_in
def end_session(request: HttpRequest, id: int) -> HttpResponse:
    session = get_object_or_404(UserSession, pk=id, user=request.user)
    if session.session_key == request.session.session_key:
        messages.info(request, owner_gettext("You’re using this device. Sign out instead."))
    else:
        session.end()
        messages.success(request, owner_gettext("Device signed out."))
    return redirect("usersessions_list")
