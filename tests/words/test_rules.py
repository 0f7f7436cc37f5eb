"""The checker finds planted faults, and accepts good English."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.words import document_texts, python_texts, template_texts
from tests.words.rules import Fault, find_faults, find_unwrapped, load_words
from tests.words.text import Text

pytestmark = pytest.mark.any_database
PAGE = "src/workspace/products/menu/templates/menu/edit.html"
BOOKING = "src/workspace/products/booking/templates/booking/page.html"
WORDS = load_words()


def faults_of(kind: str, text: str, path: str = PAGE) -> list[Fault]:
    return find_faults([Text(kind, text, path, is_wrapped=True)])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Your preview stands here.", "stands"),
        ("Please look once more.", "anew, once more, meanwhile, beforehand"),
        ("The client is told.", "is told"),
        ("We give you the money back.", "give back"),
        ("Take everything along", "take along"),
        ("You can take it back for 30 days.", "take back"),
        ("For 30 days it can be brought back.", "bring back, put back"),
        ("Who empties a name takes the room away.", "who does X"),
        ("An address of its own", "of its own, by itself"),
        ("This is no key.", "is no X"),
        ("The page is not there.", "is not there"),
        ("Please pay {owed} until {until}.", "until as a deadline"),
        ("The code wears your colors.", "wears, dress"),
        ("It does not count any more.", "any more"),
        ("How it comes along", "comes along"),
        ("It is gone for good.", "vague time"),
        ("Send an e-mail", "email"),
        ("You get two mails.", "email"),
        ("Nobody has signed", "someone"),
        ("At the door", "check-in"),
        ("Give it your look", "design"),
        ("The code leads to your page", "opens, destination"),
        ("Sealed on May 5", "signed"),
        ("This installation is old", "instance"),
        ("Write to the operator", "administrator"),
        ("Connect an agent", "AI assistant"),
        ("Each thing has a page", "item"),
        ("Begin with a name", "start"),
        ("The catalogue of colours", "American spelling"),
        ("Make a page", "create"),
        ("Ask your team", "members, staff"),
    ],
)
def test_a_planted_word_is_found(text: str, name: str) -> None:
    found = faults_of("text", text)
    assert name in [fault.rule for fault in found]
    assert all(fault.suggestion for fault in found)


def test_a_term_of_one_product_is_found_only_there() -> None:
    assert [fault.rule for fault in faults_of("text", "Your visit is booked.", BOOKING)] == ["booking, appointment"]
    assert faults_of("text", "Thank you for your visit.") == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("button", "Delete it"),
        ("button", "Save all of the changes"),
        ("button", "Save."),
        ("button", "all the same"),
        ("empty state", "No menu yet"),
        ("empty state", "Nothing here"),
        ("message", "The menu has been saved and all guests can see it"),
        ("message", "It is saved."),
        ("message", "Menu saved"),
        ("error", "There is no such menu"),
        ("error", "Please wait, and please try again"),
        ("confirmation", "Delete it?"),
        ("confirmation", "The menu goes"),
        ("email subject", "Moved"),
        ("label", "Name:"),
        ("navigation", "What you can do with all your menus"),
        ("tool title", "Figures of a form"),
        ("tool description", "Your link pages, newest first."),
        ("tool description", f"List {'menus ' * 60}"),
        ("tool description", "List menus,\nnewest first."),
        ("tool argument", ""),
        ("text", f"This sentence has {'far ' * 24}too many words."),
    ],
)
def test_a_wrong_shape_is_found(kind: str, text: str) -> None:
    assert faults_of(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("button", "Create menu"),
        ("button", "Sign in with passkey"),
        ("empty state", "No menus yet"),
        ("empty state", "No people found"),
        ("message", "Menu saved."),
        ("message", "Booking rescheduled. Client notified."),
        ("error", "Enter a time like 09:30."),
        ("error", "You’ve reached 3 menus, the limit of the Free plan. Upgrade or delete one."),
        ("confirmation", "Delete “Lunch menu”?"),
        ("email subject", "Appointment confirmed: {service}, {when}"),
        ("tool title", "Create a QR code"),
        ("tool description", "List menus, newest first."),
        ("text", "Unpaid bookings are released after 30 minutes."),
        ("text", "Clear a name to remove the room. Its sessions are kept."),
        ("text", "On phones, the current tab is always visible."),
        ("text", "Your appointment is confirmed. Please pay by May 5."),
        ("text", "This link is no longer valid."),
        ("text", "Please pay {owed} by {until} to confirm your appointment."),
        ("text", "The user agent of the browser is not stored."),
        ("text", "Who can see this page?"),
        ("text", "The dress code is black tie. Best wishes, Ada"),
        ("text", "Go on sale, and go on the list."),
    ],
)
def test_good_english_is_left_alone(kind: str, text: str) -> None:
    assert [str(fault) for fault in faults_of(kind, text)] == []


def test_an_unmarked_text_of_a_page_is_found() -> None:
    assert [fault.category for fault in find_unwrapped(Text("heading", "Menus", PAGE))] == ["wrapping"]
    assert list(find_unwrapped(Text("heading", "Menus", PAGE, is_wrapped=True))) == []


def test_texts_of_a_template_are_found_with_kind_and_line(tmp_path: Path) -> None:
    template = tmp_path / "page.html"
    template.write_text(
        '{% extends "base.html" %}\n'
        "{% block heading %}Menus{% endblock %}\n"
        '<p title="A hint">First {% if a %}yes{% else %}no{% endif %}</p>\n'
        '<button name="x" value="not read">{% translate "Save menu" %}</button>\n'
        "{% blocktranslate trimmed with name=menu.name %}\n  Delete <a>{{ name }} now</a>?\n{% endblocktranslate %}\n"
        '{% empty "No menus yet" "Create one" url "Create menu" icon="menu" %}\n'
        "<script>const a = 'no text';</script>\n"
    )
    found = {(text.kind, text.text, text.line, text.is_wrapped) for text in template_texts.read_template(template)}
    assert {
        ("heading", "Menus", 2, False),
        ("aria", "A hint", 3, False),
        ("text", "First", 3, False),
        ("text", "yes", 3, False),
        ("text", "no", 3, False),
        ("button", "Save menu", 4, True),
        ("text", "Delete", 6, True),
        ("link", "{name} now", 6, True),
        ("empty state", "No menus yet", 8, False),
        ("tag argument", "Create menu", 8, False),
    } <= found
    assert not [text for _, text, _, _ in found if "no text" in text or "not read" in text]


def test_a_text_is_unmarked_if_only_a_part_of_it_is_marked(tmp_path: Path) -> None:
    template = tmp_path / "page.html"
    template.write_text('<p>{% translate "Menus" %} of the week</p>')
    assert [text.is_wrapped for text in template_texts.read_template(template)] == [False]


def test_the_first_line_of_an_email_is_its_subject(tmp_path: Path) -> None:
    template = tmp_path / "email.txt"
    template.write_text("Subject: {% if a %}Moved{% else %}Booked: {{ name }}{% endif %}\nHello\n")
    found = [(text.kind, text.text) for text in template_texts.read_template(template)]
    assert found == [("email subject", "Moved"), ("email subject", "Booked: {name}"), ("email", "Hello")]


def test_texts_of_a_module_are_found_with_their_kind(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""A docstring is no text."""\n'
        'LABELS = {"name": "Your name"}\n'
        "def save(request):\n"
        '    """Save."""\n'
        '    if request == "an equal text":\n'
        '        raise NotFoundError(f"No menu {request.name} found")\n'
        '    log.info("not read by people")\n'
        '    messages.success(request, gettext("Menu saved."))\n'
        '    return render_confirmation(title="Delete menu?", button="Delete menu")\n'
        'LAYOUT = ItemLayout(empty_state=("No menus yet", gettext_lazy("Create one."), "Create menu"))\n'
    )
    found = [(text.kind, text.text, text.is_wrapped) for text in python_texts.read_module(module)]
    assert found == [
        ("label", "Your name", False),
        ("error", "No menu {…} found", False),
        ("message", "Menu saved.", True),
        ("confirmation", "Delete menu?", False),
        ("button", "Delete menu", False),
        ("empty state", "No menus yet", False),
        ("text", "Create one.", True),
        ("button", "Create menu", False),
    ]


def test_the_docstring_of_a_command_is_a_text(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('@main.command("x")\ndef x():\n    """List all keys.\n\n    And more."""\n')
    found = [(text.kind, text.text) for text in python_texts.read_module(module)]
    assert found == [("command line", "List all keys."), ("command line", "And more.")]


def test_a_document_is_read_without_its_code(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(
        "# Title\n\nFirst line\nof `code` here.\n- [A link](x)\n\n```\nnot read\n```\n\n| one | two words |\n"
    )
    found = [(text.text, text.line) for text in document_texts.read_document(document)]
    assert found == [("Title", 1), ("First line of {code} here.", 3), ("A link", 5), ("one", 11), ("two words", 11)]


def test_strings_of_a_script_are_found(tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text('// "A comment"\nshow(`Saved ${name} now`, "class-name", "Try again");\n')
    assert [text.text for text in document_texts.read_script(script)] == ["Saved {…} now", "Try again"]


def test_the_fast_search_finds_what_each_text_has() -> None:
    texts = [
        Text("text", one, PAGE)
        for one in ("Who signs", "Nobody pays\nuntil May.", "Who has signed may go.", "anew anew")
    ]
    found = [fault for fault in find_faults(texts) if fault.category in ("phrases", "terms")]
    assert sorted(map(str, found)) == sorted(str(one) for text in texts for words in WORDS for one in words.check(text))


def test_a_fault_names_the_text_the_rule_and_a_suggestion() -> None:
    (fault,) = faults_of("button", "Delete it")
    said = str(fault)
    assert PAGE in said and "'Delete it'" in said and "a button with a pronoun" in said and "name the item" in said
