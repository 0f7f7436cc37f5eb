"""Text in Python: errors, messages, labels, titles, help of commands, and other strings that are prose."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.words.text import ROOT, Text, clean, has_words, relative, word_set

SOURCES = ("src/workspace/**/*.py", "cli/src/**/*.py")
COMMAND_LINES = ("cli/src/", "src/workspace/interfaces/admin_cli/")
_SKIPPED = re.compile(r"/tests/|/migrations/|/testing/|/translations\.py$|/demo_translations\.py$")
_MARKING = word_set(
    "gettext _ gettext_noop gettext_lazy ngettext ngettext_lazy pgettext npgettext owner_gettext owner_gettext_lazy"
    " owner_gettext_noop owner_ngettext guest_message guest_plural_message owner_message owner_plural_message"
)
_MESSAGES = word_set("guest_message guest_plural_message owner_message owner_plural_message")
_ISSUES = word_set("Issue add_issue _add_issue add_error CommandError Http404 UsageError ClickException fail exit")
_SHOWN = word_set("redirect_with_message success")
_LOGGING = word_set("debug info warning exception getLogger bind critical")
# calls, keywords, names and functions whose strings are never shown
_UNREAD_CALLS = word_set(
    "TypeVar NewType compile RunSQL execute get_template render import_module fromkeys getattr setattr hasattr"
    " _word_set Literal startswith endswith removeprefix removesuffix encode filter exclude order_by values_list"
    " Field tool"
)  # the catalog of tools has the texts of these
_UNREAD_KEYWORDS = word_set("columns words headers media_type content_type db_table fields template name_tokens")
_UNREAD_NAMES = frozenset(["__all__", "SQL"])
_CODE = re.compile(
    r"SELECT |INSERT |UPDATE |DELETE FROM|CREATE |<\w+[ >]|^[\w.\-/]+$|;\s*[\w-]+[=:]|application/|^\^|\\[dwsb]|^--"
    r"|'self'|text/|default-src|no-store|max-age|\{\{|%Y|%H"
)
_WORD = re.compile(r"[A-Z][a-z]+[.…?!]?")
_KINDS_BY_KEYWORD = {
    "button": "button", "new_label": "button", "help": "help text", "labels": "label", "label": "label",
    "title": "heading", "username_label": "label", "done_message": "message", "deletion_text": "text",
    "first_task": "button", "heading": "heading", "counts": "label",
}  # fmt: skip
_KINDS_BY_CALL = {"NavItem": "navigation", "Tab": "label", "Switch": "label"}
_LABEL_NAME = re.compile(r"LABEL|CHOICES|TITLES|BADGES")


class _Context:
    """The context of a string: calls from the innermost, keywords, names of assignments, and the place in a tuple."""

    __slots__ = ("calls", "function", "is_raised", "keywords", "names", "place")

    def __init__(self) -> None:
        self.calls: tuple[str, ...] = ()
        self.keywords: tuple[str, ...] = ()
        self.names: tuple[str, ...] = ()
        self.function = ""
        self.is_raised = False
        self.place = 0

    def inside(self, **changed: object) -> _Context:
        inner = _Context()
        for name in _Context.__slots__:
            setattr(inner, name, changed.get(name, getattr(self, name)))
        return inner


class _Reader:
    """A reader of the texts of one module, without its docstrings."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Text] = []

    def visit(self, node: ast.AST, context: _Context) -> None:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                self._add(node.value, node.lineno, context)
            return
        if isinstance(node, ast.JoinedStr):
            self._add(_joined(node), node.lineno, context)
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    self.visit(part.value, context)
            return
        reader = _READERS.get(type(node))
        if reader is not None:
            reader(self, node, context)
            return
        for child in ast.iter_child_nodes(node):
            self.visit(child, context)

    def _add(self, text: str, line: int, context: _Context) -> None:
        if not _is_prose(text) or _is_unread(context):
            return
        is_marked = any(call in _MARKING for call in context.calls)
        kind = _kind_of(self.path, context)
        called = context.calls[0] if context.calls else context.function
        self.found.append(Text(kind, clean(text), self.path, line, is_marked, called))

    def _read_call(self, node: ast.Call, context: _Context) -> None:
        name = _name_of(node.func)
        if name in ("split", "splitlines"):  # a list of words
            return
        owner = _name_of(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        self.visit(node.func, context)
        calls = (name, *([owner] if _is_error(owner) else []), *context.calls)
        if name in _LOGGING and owner != "messages":
            return
        if owner == "messages":
            calls = ("success", *context.calls)
        for place, argument in enumerate(node.args):
            # a marked text is at the position of its mark
            self.visit(argument, context.inside(calls=calls, place=context.place if name in _MARKING else place))
        for keyword in node.keywords:
            inner = (keyword.arg or "", *context.keywords)
            self.visit(keyword.value, context.inside(calls=calls, keywords=inner, place=0))

    def _read_tuple(self, node: ast.Tuple, context: _Context) -> None:
        is_choice = (
            len(node.elts) == 2 and isinstance(node.elts[1], ast.Call) and _name_of(node.elts[1].func) in _MARKING
        )
        for place, item in enumerate(node.elts):
            if is_choice and place == 0:  # the value of a choice, whose label follows
                continue
            self.visit(item, context.inside(place=place))

    def _read_assignment(self, node: ast.Assign | ast.AnnAssign, context: _Context) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if node.value is not None:
            self.visit(node.value, context.inside(names=(ast.unparse(target)[:40], *context.names)))

    def _read_dictionary(self, node: ast.Dict, context: _Context) -> None:
        for value in node.values:
            self.visit(value, context)

    def _read_raise(self, node: ast.Raise, context: _Context) -> None:
        if node.exc is not None:
            self.visit(node.exc, context.inside(is_raised=True))

    def _read_definition(self, node: ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef, context: _Context) -> None:
        inner = context.inside(function=node.name)
        if not isinstance(node, ast.ClassDef):
            for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one)):
                self.visit(default, inner)
        for decorator in node.decorator_list:
            self.visit(decorator, inner)
            if _name_of(getattr(decorator, "func", decorator)) in ("command", "group"):
                help_text = ast.get_docstring(node) or ""
                self.found += [
                    Text("command line", clean(paragraph), self.path, node.lineno, context=node.name)
                    for paragraph in help_text.split("\n\n")
                    if has_words(paragraph)
                ]
        self.read_body(node.body, inner)

    def read_body(self, body: list[ast.stmt], context: _Context) -> None:
        for statement in body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                self.visit(statement, context)

    def _skip(self, node: ast.AST, context: _Context) -> None:
        """Skip imports, types and subscripts, which contain no text."""


_READERS = {
    ast.Call: _Reader._read_call,
    ast.Tuple: _Reader._read_tuple,
    ast.Dict: _Reader._read_dictionary,
    ast.Assign: _Reader._read_assignment,
    ast.AnnAssign: _Reader._read_assignment,
    ast.Raise: _Reader._read_raise,
    ast.FunctionDef: _Reader._read_definition,
    ast.AsyncFunctionDef: _Reader._read_definition,
    ast.ClassDef: _Reader._read_definition,
    ast.Import: _Reader._skip,
    ast.ImportFrom: _Reader._skip,
    ast.Compare: _Reader._skip,
    ast.Name: _Reader._skip,
}


def _joined(node: ast.JoinedStr) -> str:
    parts = [part.value if isinstance(part, ast.Constant) else "{…}" for part in node.values]
    return "".join(str(part) for part in parts)


def _name_of(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_prose(text: str) -> bool:
    stripped = text.strip()
    if not has_words(text) or (_CODE.search(text) and not _WORD.fullmatch(text)):
        return False
    return " " in stripped or bool(_WORD.fullmatch(stripped))


def _is_error(name: str) -> bool:
    return name.endswith("Error") or name in _ISSUES


def _is_unread(context: _Context) -> bool:
    if context.calls and context.calls[0] in _UNREAD_CALLS:
        return True
    if context.calls[:1] == ("SearchablePage",) and context.place > 1:  # synonyms for the search
        return True
    if context.function == "__str__" or any(name in _UNREAD_NAMES for name in context.names):
        return True
    return any(keyword in _UNREAD_KEYWORDS for keyword in context.keywords[:1])


def _kind_of(path: str, context: _Context) -> str:
    if context.is_raised or any(call in _MESSAGES or _is_error(call) for call in context.calls):
        return "error"
    if any(call in _SHOWN for call in context.calls[:2]):
        return "message"
    if "empty_state" in context.keywords:
        return ("empty state", "text", "button")[min(context.place, 2)]
    if context.keywords[:1] == ("title",) and context.calls[:1] == ("render_confirmation",):
        return "confirmation"
    if path.startswith(COMMAND_LINES):
        return "command line"
    keyword = next(iter(context.keywords), "")
    return _KINDS_BY_KEYWORD.get(keyword) or _kind_by_call(context)


def _kind_by_call(context: _Context) -> str:
    for call in context.calls[:1]:
        if call in _KINDS_BY_CALL:
            return _KINDS_BY_CALL[call] if context.place < 2 else "text"
        if call == "SearchablePage" and context.place < 2:
            return "navigation"
    return "label" if any(_LABEL_NAME.search(name) for name in context.names) else "string"


def read_module(path: Path) -> list[Text]:
    """Return the texts of a module."""
    reader = _Reader(relative(path))
    reader.read_body(ast.parse(path.read_text()).body, _Context())
    return reader.found


def list_python_texts() -> Iterator[Text]:
    """Yield the texts of all modules of the service and of the command line."""
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            if not _SKIPPED.search(path.as_posix()):
                yield from read_module(path)
