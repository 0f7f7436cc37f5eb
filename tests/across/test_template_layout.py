"""The layout of templates is only for their readers: it is removed from pages, which remain the same."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from django.template import Context, Engine, TemplateSyntaxError
from django.template.base import Lexer, Node, TextNode, TokenType

from tests import template_lines
from workspace import template_layout
from workspace.template_layout import LaidOutTemplate, has_layout

pytestmark = pytest.mark.any_database  # templates are compiled in the same way with either database
TEMPLATES = template_lines.list_templates(Path(__file__).resolve().parents[2])
MARKUP = {TokenType.TEXT: "{}", TokenType.VAR: "{{{{ {} }}}}", TokenType.BLOCK: "{{% {} %}}", TokenType.COMMENT: ""}
# parts with meaningful line breaks: they are preserved, or moving them changes more than the layout
VERBATIM = re.compile(
    r"<(pre|textarea|script|style)\b.*?</\1|{% (blocktranslate|comment|verbatim)\b.*?{% end\2|<!--.*?-->", re.DOTALL
)
KEPT = re.compile(VERBATIM.pattern.replace(r"</\1", r"</\1>").replace(r"{% end\2", r"{% end\2 %}"), re.DOTALL)
KEPT_MARK = "\ue000"  # a letter that no template has
DJANGO = r"{%.*?%}|{{.*?}}|{#.*?#}"
QUOTED = rf"\"(?:{DJANGO}|[^\"])*\"|'(?:{DJANGO}|[^'])*'"
TOKEN = re.compile(rf"({KEPT_MARK}|{DJANGO}|<[/!]?[a-zA-Z](?:{DJANGO}|{QUOTED}|[^>\"'])*>)", re.DOTALL)
IN_TAG = re.compile(rf"({DJANGO}|{QUOTED})", re.DOTALL)


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
    return " " * chance.randint(0, 1) + "\n" * chance.randint(1, 3) + " " * chance.randint(0, 9)


def test_line_breaks_where_the_rule_lets_them_be_free_change_no_template() -> None:
    chance = random.Random(8)
    compiled_nodes = 0
    for path in TEMPLATES:
        source = path.read_text()
        moved = move_line_breaks(source, chance)
        assert moved != source or len(source) < 80, path.name
        assert remove_layout(moved) == remove_layout(source), path.name
        if chance.random() < 0.1:
            assert list_nodes(moved) == list_nodes(source), path.name
            compiled_nodes += 1
    assert compiled_nodes > 30


def test_a_space_that_is_written_beside_a_tag_is_shown_and_a_line_break_in_its_place_is_not() -> None:
    chance = random.Random(9)
    written = 0
    for path in TEMPLATES:
        pieces, kept = split_tokens(path.read_text())
        places = [place for place, piece in enumerate(pieces) if place % 2 == 0 and _begins_with_space(pieces, place)]
        for place in chance.sample(places, min(2, len(places))):
            before, text, after = pieces[:place], pieces[place], pieces[place + 1 :]
            as_written, as_break, as_nothing = (
                remove_layout(join_tokens([*before, start + text[1:], *after], kept))
                for start in (" ", _random_break(chance), "")
            )
            assert as_written == remove_layout(path.read_text())
            assert as_break == as_nothing, (path.name, text)
            assert len(as_written) == len(as_nothing) + 1, (path.name, text)
            written += 1
    assert written > 300


def _begins_with_space(pieces: Sequence[str], place: int) -> bool:
    """Return whether text begins with a single written space, after a tag."""
    return place > 0 and _is_tag(pieces[place - 1]) and re.match(r" (?![ \t\r\f]*\n)", pieces[place]) is not None


def _is_tag(token: str) -> bool:
    return not token.startswith("{{")


def split_tokens(source: str) -> tuple[list[str], list[str]]:
    """Return text alternating with tags or variables, and the marked parts with meaningful line breaks."""
    kept = [found[0] for found in KEPT.finditer(source)]
    return TOKEN.split(KEPT.sub(KEPT_MARK, source)), kept


def join_tokens(pieces: Sequence[str], kept: Sequence[str]) -> str:
    """Return the source of a template whose pieces `split_tokens` returned."""
    left = iter(kept)
    return re.sub(KEPT_MARK, lambda _: next(left), "".join(pieces))


def move_line_breaks(source: str, chance: random.Random) -> str:
    """Break and join lines where that does not change the page: next to tags, between words, and between attributes."""
    pieces, kept = split_tokens(source)
    ends = ["", *pieces[1::2], ""]  # the template begins and ends as if a tag were there
    for place, (left, right) in enumerate(pairwise(ends)):
        text = pieces[2 * place]
        pieces[2 * place] = _move_in_text(text, _is_tag(left), _is_tag(right), chance)
        if right.startswith("<"):
            pieces[2 * place + 1] = _move_in_tag(right, chance)
    return join_tokens(pieces, kept)


def _move_in_text(text: str, after_tag: bool, before_tag: bool, chance: random.Random) -> str:
    if not text.strip(" \t\r\f\n"):
        is_free = "\n" in text or not text
        return _choose_break(chance, "") if is_free and (after_tag or before_tag) else text
    words = text.strip(" \t\r\f\n")
    start, end = text[: text.index(words)], text[text.index(words) + len(words) :]
    words = re.sub(r"[ \t\r\f\n]*\n[ \t\r\f\n]*| ", lambda _: _choose_break(chance, " "), words)
    return _move_at_edge(start, after_tag, chance) + words + _move_at_edge(end, before_tag, chance)


def _move_at_edge(space: str, is_beside_tag: bool, chance: random.Random) -> str:
    if is_beside_tag:
        return space if space and "\n" not in space else _choose_break(chance, "")
    return _choose_break(chance, " ") if space == " " or "\n" in space else space


def _move_in_tag(tag: str, chance: random.Random) -> str:
    parts = IN_TAG.split(tag)
    parts[::2] = [re.sub(r"\s+(?!\s|/?>)", lambda _: _choose_break(chance, " "), part) for part in parts[::2]]
    rest, space, end = re.split(r"(\s*)(?=/?>$)", parts[-1], maxsplit=1)
    return "".join([*parts[:-1], rest, _move_at_edge(space, True, chance), end])


def _choose_break(chance: random.Random, instead: str) -> str:
    return _random_break(chance) if chance.random() < 0.5 else instead


def list_nodes(source: str) -> list[tuple[str, str]]:
    """Return the class and text of each node of a template as the loader compiles it."""
    nodes = LaidOutTemplate(source, engine=Engine.get_default()).nodelist.get_nodes_by_type(Node)
    return [(type(node).__name__, node.s if isinstance(node, TextNode) else node.token.contents) for node in nodes]


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
