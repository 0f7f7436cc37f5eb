"""Dishes that people bring along, pasted or as a file: looked through first, with whatever is not clear asked back by
its line; then saved in one step, which can be taken back as one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.accounts.dispatch import perform
from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.import_columns import read_choices, show_columns
from workspace.dashboard.item_presenters import done
from workspace.dashboard.list_upload import pasted
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page, words
from workspace.lib.errors import InvalidInput, Issue, Refusal, Unavailable
from workspace.lib.money import CURRENCIES, currencies
from workspace.lib.tabular.list_table import LEFT_OUT, Sheet
from workspace.products.menu.api import part_tools, tools
from workspace.products.menu.dashboard.design_views import LABELS
from workspace.products.menu.dashboard.import_preview import entries, lettered, sections_of, shown
from workspace.products.menu.dashboard.layout import FRAME
from workspace.products.menu.domain import starter_sections
from workspace.products.menu.domain.importer import table_parser, text_parser
from workspace.products.menu.domain.importer.draft import ABOUT, DISH, MEND, OUT, SECTION, Brought, Choice, said
from workspace.products.menu.models import usual_currency
from workspace.products.menu.rules.translations import columns
from workspace.tools.tool import Tool

ASKED = 100  # lines at once
KINDS = ((SECTION, "A section"), (DISH, "A dish"), (ABOUT, "Describes the dish above"), (OUT, "Leave it out"))
MENDED = ((MEND, "As it stands here"), (OUT, "Leave it out"))
COLUMNS = [
    ("section", "Section"), ("name", "Name"), ("description", "Description"), ("price", "Price"),
    ("price_note", "Words in place of a price"), ("variants", "Sizes with prices"), ("add_ons", "Extras with prices"),
    ("dietary_tags", "Diets"), ("allergens", "Allergens"), ("allergens_checked", "Allergens are complete"),
    ("price_from", "Price is a starting price"), ("section_description", "Description of the section"),
    ("sold_out", "Sold out"), ("hidden", "Hidden"), ("id", "ID of a dish on this menu"),
]  # fmt: skip
NO_NAMES = "Which column holds the names of the dishes? Choose it below. Nothing is saved yet"
UNNAMED = "Menu"  # the section of what stands in none
TOOK = "What you brought has taken the place of our sample: its address and its printed codes stay. It is not live yet."


@dataclass(slots=True)
class Sent:
    """What was sent, as far as it was read. `problems`: what is wrong with all of it, `at`: with a line, by number.
    `letters`: what is asked of the letters of allergens in it, where there are any; `columns`: of those of a table."""

    text: str = ""
    note: str = ""
    brought: Brought = field(default_factory=Brought)
    problems: list[str] = field(default_factory=list)
    at: dict[int, list[str]] = field(default_factory=dict)
    letters: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)

    @property
    def is_fine(self) -> bool:
        asked = any(one.guess == MEND for one in self.brought.unclear) or self.letters.get("open")
        asked = asked or bool(self.columns.get("is_open"))
        return bool(self.brought.dishes) and not (asked or self.problems or self.at)


@page("GET", "HEAD", "POST")
def bring(request: SignedInRequest, id: str) -> HttpResponse:
    """Into a menu that there is; dishes of an exported table are known by their ids, and changed."""
    found = call(request, tools.menu_items, menu_id=id)
    form = ToolForm(part_tools.save_items, request, fixed={"menu_id": id})
    sent = _sent(request, found["menu"]["currency"], found["menu"]["languages"][1:])
    sample = starter_sections.untouched(request.account)
    if sample is not None and sample.pk == found["menu"]["id"]:
        return _in_place_of(request, form, sent, found)
    fallback = _fallback(request, found["sections"][0]["name"] if found["sections"] else UNNAMED)
    rows = {row["id"]: row for row in found["items"]}
    lines = entries(sent.brought, rows, fallback)
    if sent.is_fine and lines:
        places = {f"items.{place}": line.number for place, line in enumerate(lines)}
        given = {"menu_id": found["menu"]["id"], "items": [line.entry for line in lines]}
        if answer := _perform(request, form, sent, part_tools.save_items, given, places):
            return done(request, _told(answer, found["menu"]["live"]), f"{FRAME.home}/{id}")
    brought = {"known": len(sent.brought.dishes) - len(lines), "new": sum("id" not in line.entry for line in lines)}
    sections = shown(
        sent.brought, rows, fallback, found["menu"]["currency"], [row["name"] for row in found["sections"]]
    )
    context = {**_context(form, sent, sections, fallback), **brought, "changed": len(lines) - brought["new"]}
    return FRAME.page(request, id, "menu/bring.html", context, _status(form, sent))


def _in_place_of(request: SignedInRequest, form: ToolForm, sent: Sent, found: tools.MenuItems) -> HttpResponse:
    """Into a menu on which nothing stands but what we made up."""
    menu, fallback = found["menu"], _fallback(request, UNNAMED)
    if sent.is_fine:
        sections, places = sections_of(sent.brought, fallback)
        given = {"restaurant_name": menu["restaurant_name"], "in_place_of": menu["id"], "live": menu["live"]}
        given["sections"] = sections
        if _perform(request, form, sent, tools.create, given, places):
            return done(request, TOOK, f"{FRAME.home}/{menu['id']}")
    shown_as = shown(sent.brought, {}, fallback, menu["currency"])
    new = len(sent.brought.dishes)
    context = {**_context(form, sent, shown_as, fallback), "new": new, "changed": 0, "takes_place": True}
    return FRAME.page(request, menu["id"], "menu/bring.html", context, _status(form, sent))


@page("GET", "HEAD", "POST")
def bring_new(request: SignedInRequest) -> HttpResponse:
    """A new menu of them, or what takes the place of the one that we made up."""
    asked, usual = request.POST.get("currency", "").upper(), usual_currency(request.account)
    currency = asked if asked in CURRENCIES else usual
    initial = {"restaurant_name": request.account.name, "currency": usual}
    form = ToolForm(tools.create, request, initial=initial, labels=LABELS)
    sent = _sent(request, currency)
    fallback = _fallback(request, UNNAMED)
    sample = starter_sections.untouched(request.account)
    if sent.is_fine:
        sections, places = sections_of(sent.brought, fallback)
        given = {
            **form.arguments,
            "live": sample is not None and sample.publication.paused_at is None,
            "sections": sections,
            **_further(request, sent.brought),
        }
        if sample is not None:
            given["in_place_of"] = sample.pk
        if answer := _perform(request, form, sent, tools.create, given, places):
            if sample is not None:
                return done(request, TOOK, f"{FRAME.home}/{sample.pk}")
            return redirect_whole(request, f"{FRAME.home}/{answer['menu']['id']}?made")
    sections = shown(sent.brought, {}, fallback, currency)
    context = {
        **_context(form, sent, sections, fallback),
        "new": len(sent.brought.dishes),
        "currencies": currencies(),
        "takes_place": sample is not None,
    }
    return render(request, "menu/bring_new.html", context, status=_status(form, sent))


def _further(request: SignedInRequest, brought: Brought) -> dict[str, Any]:
    """The languages of a new menu whose table has words in several: first the one that has no columns of its own."""
    codes = dict.fromkeys(code for dish in brought.dishes for code in dish.fields.get("translations", {}))
    first = [code for code in (*Brand.of(request.account).languages, "en") if code not in codes]
    return {"languages": [*first[:1], *codes]} if codes and first else {}


def _sent(request: SignedInRequest, currency: str, languages: Sequence[str] | None = None) -> Sent:
    sent = Sent()
    if request.method != "POST":
        return sent
    try:
        sent.text, sent.note = pasted(request, "text")
        if not sent.note and "file" not in request.FILES:
            sent.text = said(sent.text, _choices(request))
        if not sent.text.strip():
            raise InvalidInput.at("text", "Paste your menu here, or choose a file")
        if table_parser.is_table(sent.text) or "columns-shown" in request.POST:
            known = table_parser.languages_in(sent.text) if languages is None else languages
            _read_table(request, sent, currency, known)
        else:
            sent.brought = text_parser.read(sent.text, currency, Brand.of(request.account).country)
        if not (sent.brought.dishes or sent.brought.unclear):
            raise InvalidInput.at("text", "There is no dish in it: write one a line, with its price at the end")
        sent.letters = lettered(sent.brought, request.POST)
    except InvalidInput as refusal:
        for issue in refusal.issues:
            sent.problems.append(issue.message)
    return sent


def _read_table(request: SignedInRequest, sent: Sent, currency: str, languages: Sequence[str]) -> None:
    """What a table says, by what was said of its columns."""

    def open_list(means: Mapping[str, str], headed: bool) -> Sheet:
        return table_parser.open_list(sent.text, languages, means, headed=headed)

    labels = [*COLUMNS, *((name, name) for name in columns(languages))]
    choices = read_choices(request, open_list, [*(name for name, _ in labels), LEFT_OUT])
    problem = "" if "name" in choices.sheet.fields else NO_NAMES
    if not problem and choices.undecided:
        problem = f"Say what these columns are, or leave them out: {', '.join(choices.undecided)}."
    sent.columns = show_columns(choices, labels, problem)
    if problem == NO_NAMES:
        raise InvalidInput.at("text", NO_NAMES)
    sent.brought = table_parser.read(
        sent.text, currency, languages, choices.sheet, country=Brand.of(request.account).country
    )


def _choices(request: HttpRequest) -> dict[int, Choice]:
    found = {}
    for name, kind in request.POST.items():
        number = name.removeprefix("as.")
        if number != name and number.isascii() and number.isdigit() and len(number) < 7:
            was = request.POST.get(f"was.{number}", "")
            found[int(number)] = Choice(was, request.POST.get(f"now.{number}", was), str(kind))
    return found


def _fallback(request: HttpRequest, usual: str) -> str:
    return words(request.POST.get("section"), 80) or usual


def _perform(
    request: SignedInRequest,
    form: ToolForm,
    sent: Sent,
    tool: Tool[Any],
    given: dict[str, Any],
    places: Mapping[str, int],
) -> Any:
    """The tool's data once it is saved; None where it was only looked through, or is refused: that is told in `sent`,
    at its line, or in the form."""
    saving = request.POST.get("step") == "save" and not sent.brought.unclear
    once = hashlib.sha256(json.dumps([form.token, given], sort_keys=True).encode()).hexdigest()
    try:
        if saving:  # of two clicks the first one saves
            return perform(tool, request.caller, given, idempotency_key=f"brought:{once}").data
        perform(tool, request.caller, {**given, "dry_run": True})
    except InvalidInput as refusal:
        for issue in refusal.issues:
            _place(issue, form, sent, places)
    except Unavailable:
        raise
    except Refusal as refusal:
        form.error = refusal.message
    return None


def _place(issue: Issue, form: ToolForm, sent: Sent, places: Mapping[str, int]) -> None:
    for prefix, number in places.items():
        if issue.path.startswith(f"{prefix}."):
            name = issue.path[len(prefix) + 1 :].split(".")[0].replace("_", " ")
            sent.at.setdefault(number, []).append(f"{name.capitalize()}: {issue.message}")
            return
    form.refuse(issue.path, issue.message)


def _told(saved: Mapping[str, Any], live: bool) -> str:
    parts = [
        f"{count} dish{'' if count == 1 else 'es'} {act}"
        for act, count in (("added", saved["added"]), ("changed", saved["changed"]))
        if count
    ]
    seen = "Guests see it on their next load." if live else "The menu is not live."
    return f"{' and '.join(parts) or 'Nothing changed'}. {seen}"


def _context(form: ToolForm, sent: Sent, sections: list[dict[str, Any]], fallback: str) -> dict[str, Any]:
    unclear = sent.brought.unclear
    lines = sent.text.split("\n")
    wrong = [
        {"number": number, "why": "; ".join(told), "text": lines[number - 1] if number <= len(lines) else ""}
        for number, told in sorted(sent.at.items())
    ]
    return {
        "form": form,
        "sent": sent,
        "sections": sections,
        "wrong": wrong,
        "unclear": [{"line": one, "kinds": MENDED if one.guess == MEND else KINDS} for one in unclear[:ASKED]],
        "more": max(0, len(unclear) - ASKED),
        "fallback": fallback if any(not dish.section for dish in sent.brought.dishes) else "",
        "is_ready": sent.is_fine and not form.error and not form.errors,
    }


def _status(form: ToolForm, sent: Sent) -> int:
    return 422 if sent.problems or sent.at else form.status
