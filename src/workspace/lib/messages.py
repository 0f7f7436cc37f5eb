"""Messages: sentences for readers, with parameters, that are translated when they are shown.

Each product declares its error messages in its `messages.py`, and code raises them by name:

    SLOT_TAKEN = guest_message("This time was just booked. Choose another time.")
    TOO_FAR_AHEAD = guest_plural_message(
        "Choose a date within %(days)s day.", "Choose a date within %(days)s days.", count="days"
    )

    raise ConflictError(messages.SLOT_TAKEN)
    raise OperationNotAllowedError(messages.TOO_FAR_AHEAD(days=60))

A channel renders the message with `str()`: pages in the reader's language, APIs in English. The functions' names tell
`bin/messages` which catalog a message belongs to: guests' messages are translated into all guest languages, and owners'
messages into all owner languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

Translator = Callable[[str, str, int], str]
"""A function that translates a text, or the right plural form for a number. The plural is "" if there is none."""


def _choose_english_form(text: str, plural: str, number: int) -> str:
    return text if number == 1 or not plural else plural


class _Translation:
    """The current translator. Without one, messages stay in English."""

    translate: Translator = staticmethod(_choose_english_form)


def use_translator(translate: Translator) -> None:
    """Use this function to translate messages from now on."""
    _Translation.translate = staticmethod(translate)


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence with placeholders such as `%(days)s`, and their values.

    A sentence that depends on a number has a `plural`, and `count` is the name of the number's placeholder. A message
    without parameters is shown unchanged, so a percent sign in it needs no escape.
    """

    text: str
    plural: str = ""
    count: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)

    def __call__(self, **parameters: object) -> Message:
        """Return the message with these values for its placeholders."""
        return replace(self, parameters={**self.parameters, **parameters})

    def __str__(self) -> str:
        """Return the sentence in the active language."""
        number = self.parameters.get(self.count, 1)
        text = _Translation.translate(self.text, self.plural, number if isinstance(number, int) else 2)
        return text % self.parameters if self.parameters else text


def guest_message(text: str) -> Message:
    """Return a message that guests read."""
    return Message(text)


def guest_plural_message(text: str, plural: str, count: str) -> Message:
    """Return a message for guests that depends on the number `count`."""
    return Message(text, plural, count)


def owner_message(text: str) -> Message:
    """Return a message that only owners, members and callers of the API read."""
    return Message(text)


def owner_plural_message(text: str, plural: str, count: str) -> Message:
    """Return a message for owners that depends on the number `count`."""
    return Message(text, plural, count)
