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

UNDO_LEVEL = messages.SUCCESS + 1  # a message of this level is not words but the id of a change


@dataclass(slots=True)
class FlashMessage:
    """A message as it is shown, with the change that can be taken back where it tells of one."""

    text: str
    kind: str
    change_id: str = ""


def offer_undo(request: SignedInRequest, response: HttpResponse) -> None:
    """Let the next page offer to take back what this request has changed, the last of it where that was several."""
    moves_on = response.status_code in (302, 303) or "HX-Redirect" in response.headers
    if request.caller.change_ids and moves_on:
        messages.add_message(request, UNDO_LEVEL, request.caller.change_ids[-1])


def merge_undo(found: Iterable[Message]) -> list[FlashMessage]:
    """The messages with the Undo that follows each, which has a word of its own where none told what was done."""
    shown: list[FlashMessage] = []
    for message in found:
        if message.level != UNDO_LEVEL:
            shown.append(FlashMessage(str(message), message.level_tag))
        elif shown and not shown[-1].change_id:
            shown[-1].change_id = str(message)
        else:
            shown.append(FlashMessage("Saved.", "success", str(message)))
    return shown
