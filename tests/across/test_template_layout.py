"""The layout of templates is for people who read them: none of it reaches a page, and the page stays the same."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from django.template import Context, Engine, TemplateSyntaxError
from django.template.base import Lexer, TokenType

from tests import template_lines
from workspace import template_layout
from workspace.template_layout import LaidOutTemplate, has_layout

pytestmark = pytest.mark.any_database  # templates are compiled alike beside either database
TEMPLATES = template_lines.list_templates(Path(__file__).resolve().parents[2])
MARKUP = {TokenType.TEXT: "{}", TokenType.VAR: "{{{{ {} }}}}", TokenType.BLOCK: "{{% {} %}}", TokenType.COMMENT: ""}
# parts whose line breaks mean something: they are kept, or moving them is not a matter of layout
VERBATIM = re.compile(
    r"<(pre|textarea|script|style)\b.*?</\1|{% (blocktranslate|comment|verbatim)\b.*?{% end\2|<!--.*?-->", re.DOTALL
)


def remove_layout(source: str) -> str:
    """Return the source of a template as the loader compiles it."""
    tokens = template_layout.remove_layout(Lexer(source).tokenize())
    return "".join(MARKUP[token.token_type].format(token.contents) for token in tokens)


@pytest.mark.parametrize(
    ("source", "compiled"),
    [
        ("<ul>\n  <li>\n    One\n  </li>\n</ul>\n", "<ul><li>One</li></ul>"),
        ("<p>\n  One word\n  and another\n</p>", "<p>One word and another</p>"),
        ("<p>\n  {{ one }}\n  {{ two }},\n  three\n</p>", "<p>{{ one }} {{ two }}, three</p>"),
        ("<b>x</b> <i>y</i>\n<i>z</i>", "<b>x</b> <i>y</i><i>z</i>"),
        ("{% if a %}\n  {{ b }}\n{% endif %}\n{% if c %} (d){% endif %}",
         "{% if a %}{{ b }}{% endif %}{% if c %} (d){% endif %}"),
        ('<a\n  class="b"\n  {% if c %}hidden{% endif %}\n>\n  d\n</a>',
         '<a class="b" {% if c %}hidden{% endif %}>d</a>'),
        ('<a title="one\n  two">b</a>', '<a title="one\n  two">b</a>'),
        ('<a title="1 > 0"\n   href="b">c</a>', '<a title="1 > 0" href="b">c</a>'),
        ("<path\n  d=''\n/>", "<path d=''/>"),
        ("<pre>\n a\n  b\n</pre>\n<p>c</p>", "<pre>\n a\n  b\n</pre><p>c</p>"),
        ("<textarea\n  name='a'\n>\n{{ b }}\n</textarea>\n", "<textarea name='a'>\n{{ b }}\n</textarea>"),
        ("<script src='a'></script>\n<script>\n b\n</script>", "<script src='a'></script><script>\n b\n</script>"),
        ("<style>\n  a {}\n  {{ b }}\n</style>\n<p>", "<style>\n  a {}\n  {{ b }}\n</style><p>"),
        ("<!-- a\n  b -->\n<p>", "<!-- a\n  b --><p>"),
        ("{# a #}\n<p>\n  b\n</p>", "<p>b</p>"),
        ("{% blocktranslate %}\n  a\n  <b>c</b>\n{% endblocktranslate %}\n<p>",
         "{% blocktranslate %}\n  a\n  <b>c</b>\n{% endblocktranslate %}<p>"),
        ("{% verbatim %}\n  <p>\n{% endverbatim %}\n", "{% verbatim %}\n  <p>\n{% endverbatim %}"),
        ("a\u00a0\n\u00a0b", "a\u00a0 \u00a0b"),
        ("1 < 2\n3", "1 < 2 3"),
        ("a\r\n  b\r\n<p>", "a b<p>"),
    ],
)  # fmt: skip
def test_a_line_break_renders_nothing_beside_a_tag_and_one_space_between_words(source: str, compiled: str) -> None:
    assert remove_layout(source) == compiled


def test_the_templates_of_the_package_are_compiled_without_layout_and_no_others() -> None:
    loaded = Engine.get_default().get_template("dashboard/parts/badge.html")
    assert isinstance(loaded, LaidOutTemplate)
    assert not loaded.render(Context({"text": "New"})).endswith("\n")
    assert not has_layout(str(Path(template_layout.__file__).with_name("mail.txt")))
    assert type(Engine.get_default().get_template("allauth/layouts/base.html")) is not LaidOutTemplate


def test_no_line_break_beside_a_tag_reaches_a_page() -> None:
    assert len(TEMPLATES) > 500
    left = [path.name for path in TEMPLATES if "\n" in VERBATIM.sub("", remove_layout(path.read_text()))]
    assert left == []


def test_indentation_and_blank_lines_change_no_template() -> None:
    chance = random.Random(7)
    for path in TEMPLATES:
        source = path.read_text()
        moved = "".join(
            part if is_verbatim else re.sub(r"\n *", lambda _: _random_break(chance), part)
            for part, is_verbatim in _split_verbatim(source)
        )
        assert moved != source or "\n" not in source.strip()
        assert remove_layout(moved) == remove_layout(source), path.name


def _random_break(chance: random.Random) -> str:
    return "\n" * chance.randint(1, 3) + " " * chance.randint(0, 9)


def _split_verbatim(source: str) -> list[tuple[str, bool]]:
    parts, position = [], 0
    for found in VERBATIM.finditer(source):
        parts += [(source[position : found.start()], False), (found[0], True)]
        position = found.end()
    return [*parts, (source[position:], False)]


def test_texts_for_translation_and_verbatim_parts_stay_as_they_are_written() -> None:
    kept = 0
    for path in TEMPLATES:
        compiled = remove_layout(path.read_text())
        for found in re.finditer(
            r"({% blocktranslate\b.*?)({% end)|<(?:pre|textarea)\b[^>]*>([^<]*)</", path.read_text(), re.DOTALL
        ):
            assert (found[1] or found[3] or "") in compiled, path.name
            kept += 1
    assert kept > 150


@pytest.mark.parametrize("debug", [True, False])
def test_an_error_names_the_line_of_the_file(debug: bool) -> None:
    source = "<ul>\n  <li>\n    One\n  </li>\n  {% nothing %}\n</ul>\n"
    with pytest.raises(TemplateSyntaxError, match=r"on line 5") as raised:
        LaidOutTemplate(source, engine=Engine(debug=debug))
    if debug:
        assert raised.value.template_debug["line"] == 5
        assert raised.value.template_debug["during"] == "{% nothing %}"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("<p>Read\n  <b>this</b></p>\n", ":1 joins a word and an element"),
        ("<p>\n  <a>This</a>\n  one</p>\n", ":2 joins a word and an element"),
        ("<p>" + "long " * 41 + "</p>\n", "1 of 1 lines are longer than 200 characters"),
        ("<p></p>\n" * 200 + "<p>" + "long " * 80 + "</p>\n", ":201 is longer than 340 characters"),
        ("<p>\n  Read <b>this</b>,\n  please\n</p>\n", ""),
        ("<p>\n  {{ name }}\n  <b>this</b>\n</p>\n", ""),
    ],
)
def test_lines_that_are_too_long_and_words_that_a_line_break_joins_are_found(
    source: str, fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(source)
    faults = template_lines.find_faults([path])
    assert [one for one in faults if fault and fault in one] or faults == [] == list(fault)
