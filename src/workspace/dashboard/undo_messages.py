"""Undo in the message after a change: offered after each change, executed by the same tool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.http import HttpResponse

if TYPE_CHECKING:
    from workspace.dashboard.session import SignedInRequest

UNDO_LEVEL = messages.SUCCESS + 1  # a message of this level contains the id of a change instead of a text


@dataclass(slots=True)
class FlashMessage:
    """A message to show, with the change that it can undo, if any."""

    text: str
    kind: str
    change_id: str = ""


def offer_undo(request: SignedInRequest, response: HttpResponse) -> None:
    """Have the next page offer to undo what this request changed, the last change if there were several."""
    moves_on = response.status_code in (302, 303) or "HX-Redirect" in response.headers
    if request.caller.change_ids and moves_on:
        messages.add_message(request, UNDO_LEVEL, request.caller.change_ids[-1])


def merge_undo(messages: Iterable[Message]) -> list[FlashMessage]:
    """Return the messages with their Undo. An Undo without a preceding message gets its own text."""
    shown: list[FlashMessage] = []
    for message in messages:
        if message.level != UNDO_LEVEL:
            shown.append(FlashMessage(str(message), message.level_tag))
        elif shown and not shown[-1].change_id:
            shown[-1].change_id = str(message)
        else:
            shown.append(FlashMessage("Saved.", "success", str(message)))
    return shown
