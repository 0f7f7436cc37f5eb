"""Undo in the message after a change. It is offered after each change, and `svc_undo` executes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

UNDO_LEVEL = messages.SUCCESS + 1  # a message of this level contains the id of a change in place of a text


@dataclass(slots=True)
class FlashMessage:
    """A message to show, with the change that it can undo, if any."""

    text: str
    kind: str
    change_id: str = ""


def offer_undo(request: HttpRequest, response: HttpResponse, change_ids: Sequence[str]) -> None:
    """Make the next page offer to undo the last of the changes that this request made."""
    moves_on = response.status_code in (302, 303) or "HX-Redirect" in response.headers
    if change_ids and moves_on:
        messages.add_message(request, UNDO_LEVEL, change_ids[-1])


def merge_undo(messages: Iterable[Message]) -> list[FlashMessage]:
    """Return the messages with their undo buttons. An undo without a preceding message gets its own text."""
    shown: list[FlashMessage] = []
    for message in messages:
        if message.level != UNDO_LEVEL:
            shown.append(FlashMessage(str(message), message.level_tag))
        elif shown and not shown[-1].change_id:
            shown[-1].change_id = str(message)
        else:
            shown.append(FlashMessage(gettext("Changes saved."), "success", str(message)))
    return shown
