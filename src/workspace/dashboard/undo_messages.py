"""Undo beside the message that tells what was done: offered after each change, taken back through the same tool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.http import HttpResponse

if TYPE_CHECKING:
    from workspace.dashboard.session import SignedInRequest

LEVEL = messages.SUCCESS + 1  # a message of this level is not words but the id of a change


@dataclass(slots=True)
class Note:
    """A message as it is shown, with the change that can be taken back where it tells of one."""

    text: str
    kind: str
    change_id: str = ""


def offer(request: SignedInRequest, response: HttpResponse) -> None:
    """Let the next page offer to take back what this request has changed, the last of it where that was several."""
    moves_on = response.status_code in (302, 303) or "HX-Redirect" in response.headers
    if request.caller.made and moves_on:
        messages.add_message(request, LEVEL, request.caller.made[-1])


def notes(found: Iterable[Message]) -> list[Note]:
    """The messages with the Undo that follows each, which has a word of its own where none told what was done."""
    shown: list[Note] = []
    for message in found:
        if message.level != LEVEL:
            shown.append(Note(str(message), message.level_tag))
        elif shown and not shown[-1].change_id:
            shown[-1].change_id = str(message)
        else:
            shown.append(Note("Saved.", "success", str(message)))
    return shown
