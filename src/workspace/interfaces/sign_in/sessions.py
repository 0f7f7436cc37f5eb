"""Ending one sign-in of several. Ending all others is allauth's."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from workspace.dashboard.session import signed_in


@require_POST
@signed_in
def end_session(request: HttpRequest, id: int) -> HttpResponse:
    session = get_object_or_404(UserSession, pk=id, user=request.user)
    if session.session_key == request.session.session_key:
        messages.info(request, "This is the device in your hands: sign out instead.")
    else:
        session.end()
        messages.success(request, "That device is signed out.")
    return redirect("usersessions_list")
