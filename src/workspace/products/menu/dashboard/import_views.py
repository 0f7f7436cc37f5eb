"""Importing dishes from pasted text or a file: a preview with questions by line, then one step that can be undone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

from workspace.accounts.dispatch import execute_tool
from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.json_schema import constraints_at
from workspace.dashboard.list_import import parse_column_choices, present_table
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.lib.errors import InvalidInputError, Issue, ToolError, UnavailableError
from workspace.lib.money import CURRENCIES, currency_choices
from workspace.lib.tabular.list_table import CellProblem, ListTable
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.menu import messages
from workspace.products.menu.api import section_and_item_tools, tools
from workspace.products.menu.dashboard.design_views import LABELS
from workspace.products.menu.dashboard.import_edits import RowEdits, apply_row_edits, present_lines, read_line
from workspace.products.menu.dashboard.import_preview import (
    build_entries,
    build_sections,
    present_sections,
    resolve_allergen_codes,
)
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.domain import starter_sections
from workspace.products.menu.domain.importer import table_parser, text_parser
from workspace.products.menu.domain.importer.draft import (
    ABOUT,
    DISH,
    MEND,
    OUT,
    SECTION,
    LineChoice,
    MenuDraft,
    apply_choices,
)
from workspace.products.menu.domain.sections_and_items import TEXT_FIELDS
from workspace.products.menu.models import default_currency
from workspace.products.menu.rules.translations import translation_columns
from workspace.publishing.models import RememberedColumns
from workspace.storage.database.transactions import write_transaction
from workspace.tools.tool import Tool

LIST_NAME = "menu.dishes"
MAX_QUESTIONS = 100  # lines in one request
LINE_KINDS = (
    (SECTION, owner_gettext_lazy("Section")),
    (DISH, owner_gettext_lazy("Dish")),
    (ABOUT, owner_gettext_lazy("Description of the dish above")),
    (OUT, owner_gettext_lazy("Skip this line")),
)
MEND_CHOICES = ((MEND, owner_gettext_lazy("Use as entered")), (OUT, owner_gettext_lazy("Skip this line")))
COLUMN_LABELS = [
    ("section", owner_gettext_lazy("Section")),
    ("name", owner_gettext_lazy("Name")),
    ("description", owner_gettext_lazy("Description")),
    ("price", owner_gettext_lazy("Price")),
    ("price_note", owner_gettext_lazy("Price text")),
    ("variants", owner_gettext_lazy("Sizes with prices")),
    ("add_ons", owner_gettext_lazy("Extras with prices")),
    ("dietary_tags", owner_gettext_lazy("Diets")),
    ("allergens", owner_gettext_lazy("Allergens")),
    ("allergens_checked", owner_gettext_lazy("Allergens checked")),
    ("price_from", owner_gettext_lazy("Starting price")),
    ("section_description", owner_gettext_lazy("Section description")),
    ("sold_out", owner_gettext_lazy("Sold out")),
    ("hidden", owner_gettext_lazy("Hidden")),
    ("id", owner_gettext_lazy("Dish ID")),
]
DEFAULT_SECTION = "Menu"  # the section of dishes without a section
REPLACED_MESSAGE = owner_gettext_lazy("Menu imported. It replaced the sample and is not live yet.")


@dataclass(slots=True)
class ImportState:
    """The parsed part of a submitted menu.

    `problems` are about the whole menu, and `line_problems` are about lines, by number. `edits` are the corrections in
    the table. `letters` are the questions about allergen codes, if any, and `columns` those about the columns of a
    table.
    """

    text: str = ""
    note: str = ""
    draft: MenuDraft = field(default_factory=MenuDraft)
    problems: list[str] = field(default_factory=list)
    line_problems: dict[int, list[str]] = field(default_factory=dict)
    edits: RowEdits = field(default_factory=RowEdits)
    letters: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)
    sheet: ListTable | None = None

    @property
    def is_valid(self) -> bool:
        has_questions = any(line.guess == MEND for line in self.draft.unclear) or self.letters.get("open")
        has_questions = has_questions or bool(self.columns.get("problem"))
        return bool(self.draft.dishes) and not (has_questions or self.problems or self.line_problems)


@page("GET", "HEAD", "POST")
def import_menu(request: SignedInRequest, id: str) -> HttpResponse:
    """Import into an existing menu. Dishes of an exported table are matched by their ids and updated."""
    items = call_tool(request, tools.list_items, menu_id=id)
    form = ToolForm(section_and_item_tools.save_items, request, fixed={"menu_id": id})
    sent = _parse_request(request, items["menu"]["currency"], items["menu"]["languages"][1:])
    sample = starter_sections.find_untouched_starter(request.account)
    if sample is not None and sample.pk == items["menu"]["id"]:
        return _replace_sample(request, form, sent, items)
    fallback = _fallback_section(request, items["sections"][0]["name"] if items["sections"] else DEFAULT_SECTION)
    rows = {row["id"]: row for row in items["items"]}
    lines = build_entries(sent.draft, rows, fallback)
    if sent.is_valid and lines:
        places = {f"items.{place}": line.number for place, line in enumerate(lines)}
        fields = {"menu_id": items["menu"]["id"], "items": [line.entry for line in lines]}
        if answer := _run_tool(request, form, sent, section_and_item_tools.save_items, fields, places):
            return redirect_with_message(request, _format_result(answer, items["menu"]["live"]), f"{LAYOUT.home}/{id}")
    imported = {"known": len(sent.draft.dishes) - len(lines), "new": sum("id" not in line.entry for line in lines)}
    sections = present_sections(
        sent.draft, rows, fallback, items["menu"]["currency"], [row["name"] for row in items["sections"]]
    )
    context = {**_context(form, sent, sections, fallback), **imported, "changed": len(lines) - imported["new"]}
    return LAYOUT.render_item_page(request, id, "menu/owner/import.html", context, _http_status(form, sent))


def _replace_sample(
    request: SignedInRequest, form: ToolForm, import_state: ImportState, items: tools.MenuItems
) -> HttpResponse:
    """Import into a menu that still contains only our sample."""
    menu, fallback = items["menu"], _fallback_section(request, DEFAULT_SECTION)
    if import_state.is_valid:
        sections, places = build_sections(import_state.draft, fallback)
        fields = {"restaurant_name": menu["restaurant_name"], "replaces": menu["id"], "live": menu["live"]}
        fields["sections"] = sections
        if _run_tool(request, form, import_state, tools.create, fields, places):
            return redirect_with_message(request, REPLACED_MESSAGE, f"{LAYOUT.home}/{menu['id']}")
    shown_as = present_sections(import_state.draft, {}, fallback, menu["currency"])
    new = len(import_state.draft.dishes)
    context = {**_context(form, import_state, shown_as, fallback), "new": new, "changed": 0, "replaces_sample": True}
    status = _http_status(form, import_state)
    return LAYOUT.render_item_page(request, menu["id"], "menu/owner/import.html", context, status)


@page("GET", "HEAD", "POST")
def import_new_menu(request: SignedInRequest) -> HttpResponse:
    """Import a new menu, which replaces the sample if the sample is unchanged."""
    requested_currency, usual = request.POST.get("currency", "").upper(), default_currency(request.account)
    currency = requested_currency if requested_currency in CURRENCIES else usual
    initial = {"restaurant_name": request.account.name, "currency": usual}
    form = ToolForm(tools.create, request, initial=initial, labels=LABELS)
    sent = _parse_request(request, currency)
    fallback = _fallback_section(request, DEFAULT_SECTION)
    sample = starter_sections.find_untouched_starter(request.account)
    if sent.is_valid:
        sections, places = build_sections(sent.draft, fallback)
        fields = {
            **form.arguments,
            "live": sample is not None and sample.publication.paused_at is None,
            "sections": sections,
            **_table_languages(request, sent.draft),
        }
        if sample is not None:
            fields["replaces"] = sample.pk
        if answer := _run_tool(request, form, sent, tools.create, fields, places):
            if sample is not None:
                return redirect_with_message(request, REPLACED_MESSAGE, f"{LAYOUT.home}/{sample.pk}")
            return redirect_full_page(request, f"{LAYOUT.home}/{answer['menu']['id']}?made")
    sections = present_sections(sent.draft, {}, fallback, currency)
    context = {
        **_context(form, sent, sections, fallback),
        "new": len(sent.draft.dishes),
        "currencies": currency_choices(),
        "replaces_sample": sample is not None,
    }
    return render(request, "menu/owner/import_new.html", context, status=_http_status(form, sent))


def _table_languages(request: SignedInRequest, draft: MenuDraft) -> dict[str, Any]:
    """Return the languages of a new menu from a table with translations.

    The first language is one without columns: that of the original text.
    """
    codes = dict.fromkeys(code for dish in draft.dishes for code in dish.fields.get("translations", {}))
    first = [code for code in (*Brand.for_account(request.account).languages, "en") if code not in codes]
    return {"languages": [*first[:1], *codes]} if codes and first else {}


def _parse_request(request: SignedInRequest, currency: str, languages: Sequence[str] | None = None) -> ImportState:
    sent = ImportState()
    if request.method != "POST":
        return sent
    try:
        sent.text, sent.note = read_list_text(request, "text")
        if not sent.note and "file" not in request.FILES:
            sent.text = apply_choices(sent.text, _parse_choices(request))
        if not sent.text.strip():
            raise InvalidInputError.at_path("text", messages.MENU_EMPTY)
        if table_parser.is_table(sent.text) or "columns-shown" in request.POST:
            known = table_parser.detect_languages(sent.text) if languages is None else languages
            _read_table(request, sent, currency, known)
        else:
            sent.draft = text_parser.parse_text(sent.text, currency, Brand.for_account(request.account).country)
        if not (sent.draft.dishes or sent.draft.unclear):
            raise InvalidInputError.at_path("text", messages.NO_DISHES)
        country = Brand.for_account(request.account).country
        sent.edits = apply_row_edits(sent.draft, sent.text, request.POST, currency, country)
        sent.line_problems |= sent.edits.problems
        sent.letters = resolve_allergen_codes(sent.draft, request.POST)
    except InvalidInputError as refusal:
        for issue in refusal.issues:
            sent.problems.append(issue.message)
    return sent


def _read_table(request: SignedInRequest, import_state: ImportState, currency: str, languages: Sequence[str]) -> None:
    """Read a table with the chosen meanings of its columns."""
    labels = [*_column_labels(), *((name, name) for name in translation_columns(languages))]
    format, fields = table_parser.build_format(languages), [name for name, _ in labels]
    choices = parse_column_choices(request, import_state.text, LIST_NAME, format, fields, path="text")
    sheet = choices.sheet
    if "name" not in sheet.fields:
        import_state.columns = {**present_table(choices, labels), "problem": str(messages.NO_NAME_COLUMN)}
        raise InvalidInputError.at_path("text", messages.NO_NAME_COLUMN)
    import_state.draft = table_parser.parse_table(
        import_state.text, currency, languages, sheet, country=Brand.for_account(request.account).country
    )
    import_state.sheet = sheet
    notes = [CellProblem(line.number, "", line.reason) for line in import_state.draft.unclear]
    import_state.columns = present_table(choices, labels, notes=notes)
    if sheet.unknown_columns:
        problem = gettext("Choose what these columns contain, or skip them: %(columns)s")
        import_state.columns["problem"] = problem % {"columns": ", ".join(one.name for one in sheet.unknown_columns)}


def _column_labels() -> list[tuple[str, str]]:
    """Return the labels of all columns. Fields that are not in `COLUMN_LABELS` are labeled as in the form of a dish."""
    schema, known = section_and_item_tools.save_items.form_schema, dict(COLUMN_LABELS)
    others = [name for name in TEXT_FIELDS if name not in known]
    return [*COLUMN_LABELS, *((name, constraints_at(schema, f"items.0.{name}").label) for name in others)]


def _parse_choices(request: HttpRequest) -> dict[int, LineChoice]:
    result = {}
    for name, kind in request.POST.items():
        number = name.removeprefix("as.")
        if number != name and number.isascii() and number.isdigit() and len(number) < 7:
            was = request.POST.get(f"was.{number}", "")
            result[int(number)] = LineChoice(was, request.POST.get(f"now.{number}", was), str(kind))
    return result


def _fallback_section(request: HttpRequest, default: str) -> str:
    return clean_text(request.POST.get("section"), 80) or default


def _run_tool(
    request: SignedInRequest,
    form: ToolForm,
    import_state: ImportState,
    tool: Tool[Any],
    fields: dict[str, Any],
    lines_by_path: Mapping[str, int],
) -> Any:
    """Run the tool and return its data, or return None after a preview or an error.

    Errors are stored in `import_state`, at their line, or in the form.
    """
    saving = request.POST.get("step") == "save" and not import_state.draft.unclear
    once = hashlib.sha256(json.dumps([form.token, fields], sort_keys=True).encode()).hexdigest()
    try:
        if saving:  # a double click saves only once
            data = execute_tool(tool, request.caller, fields, idempotency_key=f"brought:{once}").data
            if import_state.sheet is not None:
                with write_transaction():
                    RememberedColumns.remember(request.account, LIST_NAME, import_state.sheet)
            return data
        execute_tool(tool, request.caller, {**fields, "dry_run": True})
    except InvalidInputError as refusal:
        for issue in refusal.issues:
            _place_issue(issue, form, import_state, lines_by_path)
    except UnavailableError:
        raise
    except ToolError as refusal:
        form.error = refusal.message
    return None


def _place_issue(issue: Issue, form: ToolForm, import_state: ImportState, lines_by_path: Mapping[str, int]) -> None:
    for prefix, number in lines_by_path.items():
        if issue.path.startswith(f"{prefix}."):
            name = issue.path[len(prefix) + 1 :].split(".")[0]
            label = dict(_column_labels()).get(name, name)
            import_state.line_problems.setdefault(number, []).append(f"{label}: {issue.message}")
            return
    form.add_error(issue.path, issue.message)


def _format_result(saved: Mapping[str, Any], is_live: bool) -> str:
    added, changed = saved["added"], saved["changed"]
    sentences = []
    if added:
        sentences.append(ngettext("%(count)s dish added.", "%(count)s dishes added.", added) % {"count": added})
    if changed:
        sentences.append(ngettext("%(count)s dish updated.", "%(count)s dishes updated.", changed) % {"count": changed})
    if not sentences:
        sentences.append(gettext("No changes."))
    if not is_live:
        sentences.append(gettext("The menu is not live."))
    return " ".join(sentences)


def _context(
    form: ToolForm, import_state: ImportState, sections: list[dict[str, Any]], fallback_section: str
) -> dict[str, Any]:
    draft, lines = import_state.draft, import_state.text.split("\n")
    problems = sorted(import_state.line_problems.items())
    wrong = [{"number": number, "why": " ".join(why), "text": read_line(lines, number)} for number, why in problems]
    questions = [
        {"line": line, "kinds": MEND_CHOICES if line.guess == MEND else LINE_KINDS}
        for line in draft.unclear[:MAX_QUESTIONS]
    ]
    for section in sections:
        for dish in section["dishes"]:
            number = dish["number"]
            dish["line"], dish["wrong"] = read_line(lines, number), number in import_state.line_problems
            dish["amount"] = import_state.edits.prices.get(number, dish["amount"])
    return {
        "form": form,
        "import_state": import_state,
        "sections": sections,
        "wrong": wrong,
        "unclear": questions,
        "source_lines": present_lines(import_state.text, draft, import_state.edits, questions),
        "more": max(0, len(draft.unclear) - MAX_QUESTIONS),
        "fallback": fallback_section if any(not dish.section for dish in draft.dishes) else "",
        "is_ready": import_state.is_valid and not form.error and not form.errors,
    }


def _http_status(form: ToolForm, import_state: ImportState) -> int:
    return 422 if import_state.problems or import_state.line_problems else form.status
