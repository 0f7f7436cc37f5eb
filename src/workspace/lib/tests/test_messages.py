"""Messages are rendered when they are shown, with their parameters, in the language active at that moment."""

from __future__ import annotations

import pytest

from workspace.lib import messages
from workspace.lib.errors import ConflictError, InvalidInputError
from workspace.lib.messages import Message, guest_message, guest_plural_message, use_translator

SEATS = guest_plural_message("%(seats)s seat is free.", "%(seats)s seats are free.", count="seats")


def test_a_message_without_parameters_keeps_its_percent_sign() -> None:
    assert str(guest_message("100% wool")) == "100% wool"


@pytest.mark.parametrize(("seats", "text"), [(1, "1 seat is free."), (2, "2 seats are free.")])
def test_the_number_chooses_singular_or_plural(seats: int, text: str) -> None:
    assert str(SEATS(seats=seats)) == text


def test_parameters_are_added_one_after_the_other() -> None:
    message = guest_message("%(first)s and %(second)s")(first="A")
    assert str(message(second="B")) == "A and B"


def test_an_error_is_rendered_in_the_language_of_the_moment_it_is_shown(restored_translator: None) -> None:
    error = ConflictError(SEATS(seats=3))
    assert error.message == "3 seats are free."
    use_translator(lambda text, plural, number: f"{number} Plätze sind frei.")
    assert error.message == str(error) == "3 Plätze sind frei."


def test_an_invalid_input_names_the_first_path_and_counts_the_others() -> None:
    error = InvalidInputError.from_pairs([("items.0", SEATS(seats=1)), ("items.1", "No")])
    assert str(error) == "items.0: 1 seat is free. (and 1 more)"


@pytest.fixture
def restored_translator() -> object:
    before = messages._Translation.translate
    yield None
    use_translator(before)


def test_two_equal_messages_are_equal() -> None:
    assert Message("A") == guest_message("A")
