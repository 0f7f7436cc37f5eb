"""Undo beside the message that tells what was done: offered after each change, taken back through the same tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse

if TYPE_CHECKING:
    from workspace.dashboard.session import SignedInRequest

LEVEL = messages.SUCCESS + 1  # a message of this level is not words but the id of a change


def offer(request: SignedInRequest, response: HttpResponse) -> None:
    """Let the next page offer to take back what this request has changed, the last of it where that was several."""
    moves_on = response.status_code in (302, 303) or "HX-Redirect" in response.headers
    if request.caller.made and moves_on:
        messages.add_message(request, LEVEL, request.caller.made[-1])
